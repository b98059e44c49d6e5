@testable import AsyncDiff

/// Large numbers of requests that are waiting for a surface.
@Suite struct WaitingLineTests {
  @Test(
    "D8, D9: when requests leave the line, the line stays small and keeps the other requests in order"
  )
  func random() {
    expectNoComplaint(seed: 8, rounds: 500) { random in
      var (line, model, ticket) = (WaitingLine<Int>(), [Int](), 0)
      for _ in 0..<60 {
        let one = model.randomElement(using: &random)
        switch (Int.random(in: 0..<8, using: &random), one) {
        case (0..<4, _), (_, nil):
          ticket += 1
          line.append(-ticket, as: UInt64(ticket))
          model.append(ticket)
        case (4..<7, let one?):
          guard line.remove(UInt64(one)) == -one else { return "\(one) was lost" }
          model.removeAll { $0 == one }
        case (_, let one?):
          let gone = line.removeAll(through: UInt64(one)).map { -$0.request }
          guard gone == model.filter({ $0 <= one }) else { return "\(gone) left with \(one)" }
          model.removeAll { $0 <= one }
        }
        guard line.entries.map({ -$0.request }) == model else { return "\(line.entries)" }
        guard line.newest.map({ -$0.request }) == model.last else { return "\(line.newest as Any)" }
        guard line.remove(UInt64(ticket) + 1) == nil else { return "it removed an unknown request" }
        guard line.tickets.count <= 2 * model.count else { return "\(line.tickets.count) places" }
      }
      return nil
    }
  }

  @Test("D8: a thousand waiting calls copy the line of requests fewer than 20 times")
  func callers() async throws {
    let gate = Gate()
    let surface = StrictSurface<Day> { _ in await gate.wait() }
    let source = DiffableDataSource(surface: surface)
    await withDiscardingTaskGroup { group in
      group.addTask { _ = try? await source.apply(oneDay([0])) }
      await gate.hasArrived(1)
      var places: [UnsafeRawPointer?] = []
      for caller in 1...1_000 {
        group.addTask { _ = try? await source.apply(oneDay([caller])) }
        await source.hasWaiting(caller)
        let place = source.withQueue { queue in
          queue.waiting.tickets.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
        }
        places.append(UnsafeRawPointer(bitPattern: place))
      }
      let moves = zip(places, places.dropFirst()).count { $0 != $1 }
      #expect(moves < 20, "the line was copied \(moves) times")
      gate.open()
    }
    #expect(source.snapshot == oneDay([1_000]))
  }
}
