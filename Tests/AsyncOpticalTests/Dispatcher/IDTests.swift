/// The types that an id can have.
@Suite struct IDTests {
  private struct Odd: Hashable { var number: Int? }

  @Test("O3: ids of different types are different, including optionals and nil")
  func types() async {
    await exploreContract(seeds: 20) {
      let ids: [any Hashable & Sendable] = [
        1, Optional(1), Int8(1), 1.0, Int?.none, String?.none, "1", Odd(number: 1), Int??.some(1),
      ]
      let (worker, gate) = (Worker(), Gate())
      for round in 0..<2 {
        for (index, id) in ids.enumerated() {
          worker.send(round * 100 + index, .latest(id)) { await gate.wait() }
        }
      }
      await untilIdle()
      gate.open()
      await untilIdle()
      let done = worker.state.done.sorted()
      try hold(done == ids.indices.map { 100 + $0 }, "\(done)")
    }
  }

  #if os(macOS) || os(Linux)
    @Test(
      "O3: sending under an id that is not equal to itself traps with a message that names the id"
    )
    func nan() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let worker = Worker()
        worker.send(1, .debounced(Double.nan, for: .seconds(1)))
        for _ in 0..<100_000 { await Task.yield() }
      }
      #expect(result.says("by their ids; got nan. Use a string, an integer or an enum"))
    }
  #endif
}
