import AsyncDiff
import Foundation
import Testing

/// Changes as JSON Patch; `.ci/follow-check.sh` has another implementation apply thousands of them.
@Suite struct JSONPatchTests {
  private func json(_ patch: JSONPatch<Day>) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(patch), as: UTF8.self)
  }

  @Test("D17, D21: a change is a JSON Patch over the JSON of the snapshot")
  func operations() throws {
    let old = Days(sections: [
      Day("a", ids: [1, 2, 3]), Day("b", ids: []), Day("c", ids: [7]), Day("e", ids: []),
    ])
    let new = Days(sections: [
      Day("a", header: "A", [Article(3), Article(1, "one"), Article(4)]), Day("e", ids: []),
      Day("c", ids: [7]), Day("d", header: "D", ids: [9]),
    ])
    let text = try json(JSONPatch(old.batches(to: new)))
    #expect(
      text == """
        [{"op":"remove","path":"/0/items/1"},\
        {"from":"/0/items/0","op":"move","path":"/0/items/1"},\
        {"op":"add","path":"/0/items/2","value":{"id":4,"title":""}},\
        {"op":"remove","path":"/1"},\
        {"from":"/1","op":"move","path":"/2"},\
        {"op":"add","path":"/3","value":{"content":"D","diffIdentifier":"d",\
        "items":[{"id":9,"title":""}]}},\
        {"op":"replace","path":"/0/items/1","value":{"id":1,"title":"one"}},\
        {"op":"replace","path":"/0/content","value":"A"}]
        """)
    #expect(try json(JSONPatch(old.batches(to: old))) == "[]")
  }
}
