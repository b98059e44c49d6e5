import Testing

@testable import AsyncOptical

/// The entries of an outbox, tested without storage.
@Suite struct OutboxListTests {
  @Test("O19: an item is listed as waiting only after it is stored")
  func waiting() {
    var entries = OutboxEntries<OutboxBench.Item>()
    let first = entries.add(OutboxBench.Item(id: 1), [], in: nil)
    entries.wasWritten(through: first)
    let second = entries.add(OutboxBench.Item(id: 2), [], in: nil)
    #expect(entries.waiting.map(\.id) == [1])
    #expect(entries.number(of: 1) == first && entries.number(of: 2) == nil)
    entries.wasWritten(through: second)
    #expect(entries.waiting.map(\.id) == [1, 2])
  }

  @Test("O19: the error for damaged bytes contains the offset at which a record was expected")
  func damagedAt() {
    let error = #expect(throws: OutboxRecords.Damaged.self) {
      try OutboxRecords.decode(Array("1\na9\nshort".utf8))
    }
    #expect(error?.offset == 3)
  }

  @Test(
    "O19: an item keeps its id's number while others are added and removed, and unused ids are forgotten"
  )
  func lanes() {
    var list = OutboxList()
    let lane = Lane(.serial, "first")
    _ = list.add([], isReadable: true, in: lane)
    for id in 0..<1_000 {
      let number = list.add([], isReadable: true, in: Lane(.serial, id))
      _ = list.remove(number)
    }
    _ = list.add([], isReadable: true, in: lane)
    #expect(list.entries.map(\.lane) == [1, 1])
    #expect(list.lanes.count < 50)
  }
}
