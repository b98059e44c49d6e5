import Testing

@testable import AsyncOptical

/// The entries of an outbox, as a value.
@Suite struct OutboxListTests {
  @Test("O19: unreadable entries that could not be removed are put back at their positions")
  func putBack() {
    var list = OutboxList()
    for isReadable in [true, false, true, false] {
      _ = list.add([], isReadable: isReadable, in: nil)
    }
    let removed = list.removeUnreadable()
    #expect(removed.map(\.number) == [2, 4] && list.entries.map(\.number) == [1, 3])
    list.putBack(removed)
    #expect(list.entries.map(\.number) == [1, 2, 3, 4])
  }

  @Test("O19: an item keeps its lane while other items come and go, and old lanes are forgotten")
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
