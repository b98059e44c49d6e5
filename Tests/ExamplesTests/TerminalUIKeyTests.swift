import AsyncKnotTesting
import Testing

@testable import TerminalUI

@Suite("TerminalUI: keys")
struct TerminalUIKeyTests {
  private static let script: [(bytes: String, key: Key)] = [
    ("q", .character("q")), ("é", .character("é")), ("漢", .character("漢")), ("👍", .character("👍")),
    ("\r", .enter), ("\n", .enter), ("\t", .tab), ("\u{7F}", .backspace), ("\u{8}", .backspace),
    ("\u{3}", .control("c")), ("\u{1A}", .control("z")), ("\u{1B}[A", .up), ("\u{1B}[B", .down),
    ("\u{1B}OC", .right), ("\u{1B}[D", .left), ("\u{1B}[1;5A", .up), ("\u{1B}[H", .home),
    ("\u{1B}[4~", .end), ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown), ("\u{1B}[3~", .delete),
    ("\u{1B}x", .alt("x")), (" ", .character(" ")),
  ]

  @Test("The bytes of each key are decoded to that key", arguments: script)
  func single(_ bytes: String, _ key: Key) {
    var decoder = KeyDecoder()
    #expect(decoder.decode(bytes.utf8) == [key])
    #expect(!decoder.isWaiting)
  }

  @Test("Bytes split anywhere are decoded to the same keys", arguments: 1...40)
  func chunks(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let typed = (0..<60).compactMap { _ in Self.script.randomElement(using: &random) }
    var bytes = Array(typed.map(\.bytes).joined().utf8)[...]
    var decoder = KeyDecoder()
    var keys: [Key] = []
    while !bytes.isEmpty {
      let count = Int.random(in: 1...5, using: &random)
      keys += decoder.decode(bytes.prefix(count))
      bytes = bytes.dropFirst(count)
    }
    #expect(keys == typed.map(\.key))
  }

  @Test("A lone escape byte is the Escape key, and a late arrow sequence is still an arrow")
  func loneEscape() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([0x1B]) == [])
    #expect(decoder.isWaiting)
    #expect(decoder.flush() == [.escape])
    #expect(decoder.flush() == [])
    #expect(decoder.decode([0x1B]) == [])
    #expect(decoder.decode([0x5B, 0x41]) == [.up])
    #expect(decoder.decode([0x1B, 0x1B]) == [.escape])
    #expect(decoder.flush() == [.escape])
  }

  @Test("Unknown sequences are skipped, and invalid UTF-8 is one replacement character")
  func unknown() {
    var decoder = KeyDecoder()
    #expect(decoder.decode("\u{1B}[99~\u{1B}[200~a".utf8) == [.character("a")])
    #expect(decoder.decode([0xFF, 0x61]) == [.character("\u{FFFD}"), .character("a")])
    #expect(decoder.decode([0xE6, 0x61]) == [.character("\u{FFFD}"), .character("a")])
    #expect(decoder.decode([0xE6]) == [])
    #expect(decoder.flush() == [.character("\u{FFFD}")])
  }

  @Test("Any bytes are decoded without a trap or an endless wait", arguments: 1...200)
  func fuzz(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var decoder = KeyDecoder()
    for _ in 0..<50 {
      let bytes = (0..<Int.random(in: 0...20, using: &random)).map { _ -> UInt8 in
        Bool.random(using: &random)
          ? [0x1B, 0x5B, 0x4F, 0x7E, 0xE6].randomElement(using: &random) ?? 0
          : UInt8.random(in: 0...255, using: &random)
      }
      _ = decoder.decode(bytes)
    }
    _ = decoder.flush()
    #expect(!decoder.isWaiting)
  }
}
