import Testing

@testable import ProcessBoard

@Suite struct PsTableTests {
  @Test func rowsOfLinuxAndMacOSAreParsed() {
    let text = """
          1     0 13900 00:00:05 Sun Nov 22 09:15:58 2026 systemd
      77123   501  1024   1:02.50 Mon Jan  5 00:00:00 2026 /Applications/A b.app/A b
      nonsense
      """
    let rows = PsTable.rows(Array(text.utf8))
    #expect(rows.map(\.id.number) == [1, 77_123])
    #expect(rows.map(\.user) == [0, 501])
    #expect(rows.map(\.memory) == [13_900 * 1_024, 1_024 * 1_024])
    #expect(rows.map(\.processorTime) == [5, 62.5])
    #expect(rows.map(\.name) == ["systemd", "A b"])
    #expect(rows.map(\.command) == ["systemd", "/Applications/A b.app/A b"])
    #expect(rows[0].id.start > rows[1].id.start)
  }

  @Test(
    arguments: zip(["0:03.25", "59:59", "1:00:00", "2-03:04:05"], [3.25, 3_599, 3_600, 183_845]))
  func timesAreConvertedToSeconds(text: String, seconds: Double) {
    #expect(PsTable.seconds(text) == seconds)
  }

  @Test(arguments: ["", "5", "1:2:3:4", "x:1", "-1:2:3", "1-", "1::2"])
  func invalidTimeIsNil(text: String) {
    #expect(PsTable.seconds(text) == nil)
  }

  @Test func foreignTextIsMadeSafe() {
    #expect(PlainText.of(Array("a\u{1B}[31m\n\t\u{7F}".utf8)) == "a␛[31m␊␉␡")
    #expect(PlainText.of(Array("\u{202E}x\u{2066}y\u{85}\u{2028}".utf8)) == "�x�y��")
    #expect(PlainText.of([0x61, 0xFF, 0xC3]) == "a��")
    #expect(PlainText.of(Array("<b>&\"'".utf8)) == "<b>&\"'")
    #expect(PlainText.of(Array("👩‍🚀 مرحبا".utf8)) == "👩‍🚀 مرحبا")
  }

  @Test func longTextIsCut() {
    #expect(
      PlainText.of(
        Array(String(repeating: "é", count: 9)).map(String.init).joined().utf8, limit: 10
      ).count == 9)
    #expect(
      PlainText.of(Array(String(repeating: "😀", count: 5_000).utf8), limit: 10) == String(
        repeating: "😀", count: 10) + "…")
  }
}
