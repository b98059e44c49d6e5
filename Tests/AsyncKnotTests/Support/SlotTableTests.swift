@testable import AsyncKnot

@Suite struct SlotTableTests {
  @Test(
    "After random edits, a slot table has the elements of a plain list, in the order of their tickets",
    arguments: 0..<20)
  func model(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var table = SlotTable<Int>()
    var model: [(ticket: UInt64, element: Int)] = []
    for step in 0..<2_000 {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<5:
        model.append((table.insert(step), step))
      case 5..<8:
        guard let index = model.indices.randomElement(using: &generator) else { continue }
        let removed = model.remove(at: index)
        let element = table.remove(removed.ticket)
        #expect(element == removed.element)
        let again = table.remove(removed.ticket)
        #expect(again == nil)
      case 8:
        let first = table.removeFirst()
        #expect(first == (model.isEmpty ? nil : model.removeFirst().element))
      default:
        guard Int.random(in: 0..<50, using: &generator) == 0 else { continue }
        let all = table.removeAll().compactMap(\.element)
        #expect(all == model.map(\.element))
        model.removeAll()
      }
      #expect(table.count == model.count)
    }
    #expect(table.elements == model.map(\.element))
  }

  @Test("A slot table that shrank has at most twice as many slots as elements, or at most 16")
  func shrinks() {
    for isFromTheEnd in [false, true] {
      var table = SlotTable<Int>()
      let tickets = (0..<10_000).map { table.insert($0) }
      for ticket in isFromTheEnd ? tickets.reversed() : tickets {
        _ = table.remove(ticket)
        if table.slots.count > max(16, 2 * table.count) {
          #expect(table.slots.count <= max(16, 2 * table.count))
          return
        }
      }
    }
  }

  @Test("After random edits, a queue returns its elements in order", arguments: 0..<20)
  func fifo(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var fifo = Fifo<Int>()
    var model: ArraySlice<Int> = []
    // Long runs of appends or removals fill and empty several blocks of the queue.
    for _ in 0..<200 {
      let length = Int.random(in: 0...4_000, using: &generator)
      if Bool.random(using: &generator) {
        for number in 0..<length {
          fifo.append(number)
          model.append(number)
        }
      } else {
        for _ in 0..<length {
          let (popped, expected) = (fifo.popFirst(), model.popFirst())
          if popped != expected { #expect(popped == expected) }
        }
      }
      #expect(fifo.first == model.first)
      #expect(fifo.count == model.count)
      #expect(fifo.isEmpty == model.isEmpty)
    }
  }
}
