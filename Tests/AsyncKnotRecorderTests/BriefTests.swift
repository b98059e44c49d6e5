import Testing

@testable import AsyncKnotRecorder

/// The short descriptions of values in a recording.
@Suite struct BriefTests {
  private struct Row: Equatable { var id: Int, title: String }

  @Test(
    "The description of a number, a string, an array, nil or a dictionary is its Swift literal",
    arguments: [
      (1 as any Sendable, "1"), ("tea", "\"tea\""), ([1, 2], "[1, 2]"),
      (Int?.none as any Sendable, "nil"),
      (["a": 1], "[\"a\": 1]"),
    ])
  func plain(_ value: any Sendable, _ text: String) {
    #expect(Excerpt.text(value, 100) == text)
  }

  @Test("The description of a dictionary-style mirror shows the labels of its values as keys")
  func labeledValues() {
    struct Prices: CustomReflectable {
      var customMirror: Mirror { Mirror(self, children: ["tea": 1], displayStyle: .dictionary) }
    }
    #expect(Excerpt.text(Prices(), 100) == "[tea: 1]")
  }

  @Test("A description of a million rows is short, and shows the first rows and the number of rows")
  func bounded() {
    let rows = Array(repeating: Row(id: 1, title: "tea"), count: 1_000_000)
    let text = Excerpt.text(rows, 60)
    #expect(text.hasPrefix("[Row(id: 1, title: \"tea\"), Row("))
    #expect(text.hasSuffix("… (1000000 elements)"))
    #expect(text.count < 100)
    #expect(Excerpt.text("teapot", 4) == "\"tea…")
  }
}
