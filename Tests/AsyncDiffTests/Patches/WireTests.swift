import Foundation

/// The JSON form of messages, which scripts in other languages read.
@Suite struct WireTests {
  private static let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()

  private func json(_ value: some Encodable) throws -> String {
    String(decoding: try Self.encoder.encode(value), as: UTF8.self)
  }

  private let revision = SnapshotRevision(epoch: 8_123_456_789, number: 12)

  @Test("D21: a full snapshot is encoded as one flat JSON object")
  func snapshot() throws {
    let days = Days(sections: [Day("a", header: "A", [Article(1, "one")]), Day("b", ids: [])])
    #expect(
      try json(SnapshotMessage.snapshot(days, revision)) == """
        {"epoch":8123456789,"kind":"snapshot","sections":[\
        {"content":"A","diffIdentifier":"a","items":[{"id":1,"title":"one"}]},\
        {"content":"","diffIdentifier":"b","items":[]}],"to":12}
        """)
    let known = SnapshotRevision(epoch: 8_123_456_789, number: 3)
    #expect(
      try json(SnapshotMessage.snapshot(Days(), revision, since: known)) == """
        {"epoch":8123456789,"kind":"snapshot","sections":[],"since":"8123456789-3","to":12}
        """)
  }

  @Test("D21: a patch is encoded as one flat JSON object without empty lists")
  func patch() throws {
    var stage = SnapshotPatch<Day>.Stage()
    stage.sectionDeletes = [3]
    stage.sectionUpdates = [.init(at: 1, value: "B")]
    stage.itemDeletes = [at(0, 3)]
    stage.itemInserts = [.init(at: at(1, 2), value: Article(7, "seven"))]
    stage.itemMoves = [ItemPath.Move(from: at(0, 1), to: at(1, 0))]
    let patch = SnapshotPatch(from: revision, to: 15, stages: [stage])
    #expect(
      try json(SnapshotMessage.patch(patch)) == """
        {"epoch":8123456789,"from":12,"kind":"patch","stages":[\
        {"itemDeletes":[[0,3]],"itemInserts":[{"at":[1,2],"value":{"id":7,"title":"seven"}}],\
        "itemMoves":[{"from":[0,1],"to":[1,0]}],"sectionDeletes":[3],\
        "sectionUpdates":[{"at":1,"value":"B"}]}],"to":15}
        """)
  }

  @Test("D21: an encoded message decodes to the same message")
  func roundTrip() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<100 {
      let old = random.snapshot(alphabet: 9)
      let new = random.snapshot(alphabet: 9)
      let patch = SnapshotPatch(
        from: revision, to: 13, stages: old.batches(to: new).map { SnapshotPatch.Stage($0) })
      for message in [.snapshot(new, revision, since: patch.to), SnapshotMessage.patch(patch)] {
        let data = try Self.encoder.encode(message)
        let isSame = try JSONDecoder().decode(SnapshotMessage<Day>.self, from: data) == message
        #expect(isSame)
      }
    }
  }

  @Test("D21: only the description of a revision parses as a revision")
  func revisions() throws {
    #expect(revision.description == "8123456789-12")
    #expect(SnapshotRevision("8123456789-12") == revision)
    for text in [
      "", "-", "1", "1-", "-1", "1-2-3", "+1-2", "01-2", "a-1", "1 -2", "18446744073709551616-1",
      "1-9007199254740992", "1-18446744073709551615",
    ] {
      #expect(SnapshotRevision(text) == nil, "“\(text)”")
    }
    #expect(try json([revision]) == #"["8123456789-12"]"#)
    #expect(
      try JSONDecoder().decode([SnapshotRevision].self, from: Data(#"["1-2"]"#.utf8))
        == [SnapshotRevision(epoch: 1, number: 2)])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([SnapshotRevision].self, from: Data(#"["1"]"#.utf8))
    }
  }

  @Test("D21: a writer can continue from any revision number that a message can contain")
  func lastNumber() throws {
    let text =
      #"{"kind":"snapshot","epoch":18446744073709551615,"to":9007199254740991,"sections":[]}"#
    let message = try JSONDecoder().decode(SnapshotMessage<Day>.self, from: Data(text.utf8))
    var mirror = SnapshotMirror<Day>()
    try mirror.apply(message)
    for ids in [[1], [1, 2]] {
      try mirror.apply(.patch(try #require(mirror.patch(to: oneDay(ids)))))
    }
    #expect(mirror.revision?.number == 9_007_199_254_740_993)
    let end = SnapshotMirror(oneDay([1]), at: SnapshotRevision(epoch: 1, number: .max))
    #expect(end.patch(to: oneDay([])) == nil)
  }

  @Test("D21: JavaScript can represent each epoch that a data source chooses")
  func epochs() async {
    for _ in 0..<20 {
      let source = DiffableDataSource(surface: StrictSurface<Day> { _ in })
      var messages = source.patches().makeAsyncIterator()
      let epoch = await messages.next()?.revision.epoch ?? 0
      #expect(epoch > 0 && epoch < 1 << 53)
    }
  }

  @Test(
    "D21: JSON that is not a message is refused",
    arguments: [
      #"{}"#, #"[]"#, #"{"kind":"patch","epoch":1,"from":1,"to":2}"#,
      #"{"kind":"other","epoch":1,"to":2,"sections":[]}"#,
      #"{"kind":"snapshot","epoch":-1,"to":2,"sections":[]}"#,
      #"{"kind":"snapshot","epoch":1,"to":2,"since":"1","sections":[]}"#,
      #"{"kind":"snapshot","epoch":1,"to":9007199254740992,"sections":[]}"#,
      #"{"kind":"snapshot","epoch":1,"to":2,"since":"1-9007199254740992","sections":[]}"#,
      #"{"kind":"patch","epoch":1,"from":1,"to":18446744073709551615,"stages":[]}"#,
      #"{"kind":"patch","epoch":1,"from":9007199254740992,"to":2,"stages":[]}"#,
      #"{"kind":"patch","epoch":1,"from":1,"to":2,"stages":[{"itemDeletes":[[0]]}]}"#,
      #"{"kind":"patch","epoch":1,"from":1,"to":2,"stages":[{"itemDeletes":[[0,1,2]]}]}"#,
    ])
  func refused(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(SnapshotMessage<Day>.self, from: Data(text.utf8))
    }
  }
}
