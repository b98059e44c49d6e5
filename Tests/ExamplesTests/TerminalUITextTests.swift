import Testing

@testable import TerminalUI

@Suite("TerminalUI: text")
struct TerminalUITextTests {
  @Test(
    "A grapheme cluster has the width that terminals give it",
    arguments: [
      ("a", 1), ("é", 1), ("e\u{301}", 1), ("ß", 1), ("Ω", 1), ("─", 1), ("▇", 1), ("✓", 1),
      ("漢", 2), ("か", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("Ａ", 2), ("ｱ", 1), ("。", 2),
      ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧‍👦", 2), ("🇰🇷", 2), ("🇰", 1), ("❤", 1), ("❤️", 2), ("1️⃣", 2), ("⌚", 2),
      ("☂", 1), ("𠀀", 2), ("\u{301}", 0), ("\u{200B}", 0), ("\u{FEFF}", 0), ("\u{1B}", 0),
      ("\r\n", 0),
    ])
  func width(_ text: String, _ columns: Int) {
    #expect(DisplayWidth.of(text) == columns)
  }

  @Test(
    "Control characters are shown as symbols and never sent",
    arguments: [
      ("\u{1B}", "␛"), ("\u{0}", "␀"), ("\u{7F}", "␡"), ("\r\n", "␍"), ("\t", " "),
      ("\u{9B}", "\u{FFFD}"), ("\u{202E}", "\u{FFFD}"), ("\u{2066}", "\u{FFFD}"),
      ("a\u{202E}", nil),
    ])
  func unsafeCharacters(_ character: String, _ shown: String?) {
    let printed = character.compactMap { DisplayWidth.printable($0).map { String($0.character) } }
    #expect(!printed.joined().unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202E}" })
    if let shown { #expect(printed.joined() == shown) }
  }

  @Test("Every style resets the previous one, and omits its colors if colors are off")
  func styles() {
    let style = Style(.red, on: .brightWhite, [.bold, .reverse])
    #expect(style.sequence(colors: true) == "\u{1B}[0;1;7;31;107m")
    #expect(style.sequence(colors: false) == "\u{1B}[0;1;7m")
    #expect(Style.plain.sequence(colors: true) == "\u{1B}[0m")
    #expect(Style(.brightBlack, [.dim, .underline]).sequence(colors: true) == "\u{1B}[0;2;4;90m")
  }

  @Test(
    "NO_COLOR turns colors off unless its value is empty, and a dumb terminal does not get colors",
    arguments: [
      (nil, "xterm", true), ("", "xterm", true), ("1", "xterm", false), ("0", nil, false),
      (nil, "dumb", false), (nil, nil, true),
    ] as [(String?, String?, Bool)])
  func colors(_ noColor: String?, _ term: String?, _ wanted: Bool) {
    #expect(Terminal.wantsColors(noColor: noColor, term: term) == wanted)
  }

  @Test(
    "A locale gets Unicode if it is unset or names UTF-8, and otherwise ASCII",
    arguments: [
      (nil, true), ("C", false), ("POSIX", false), ("en_GB.UTF-8", true), ("C.utf8", true),
      ("de_DE.ISO-8859-1", false),
    ] as [(String?, Bool)])
  func charset(_ locale: String?, _ isUnicode: Bool) {
    #expect(Charset.isUnicode(locale: locale) == isUnicode)
  }

  @Test("A frame in ASCII keeps every column")
  func ascii() {
    var frame = Frame(size: Size(columns: 12, rows: 1))
    frame.put("█▏漢é↑…", row: 0, column: 1, style: Style(.red))
    frame.put("end", row: 0, column: 9)
    #expect(frame.ascii.text(row: 0) == " #|? ?^~ end")
    #expect(frame.ascii[0, 1].style == Style(.red))
  }

  @Test("A bar shows its share in eighths of a column")
  func bar() {
    #expect(Chart.bar(10, of: 10, width: 4) == "████")
    #expect(Chart.bar(5, of: 10, width: 4) == "██")
    #expect(Chart.bar(1, of: 8, width: 1) == "▏")
    #expect(Chart.bar(1, of: 1_000_000, width: 4) == "▏")
    #expect(Chart.bar(0, of: 10, width: 4).isEmpty)
    #expect(Chart.bar(3, of: 0, width: 4).isEmpty)
    #expect(Chart.bar(20, of: 10, width: 4) == "████")
    #expect(Chart.bar(1, of: 10, width: 0).isEmpty)
  }
}
