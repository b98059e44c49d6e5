/// An opticle that shows results, of which only the newest counts, and whose work does not check for cancellation.
private actor Latest: Opticle {
  let knot = Knot<[Int]>([])

  func dispatch(_ number: Int) async {
    for _ in 0..<2 { await Task.yield() }
    commit(number)
  }
  func mutate(_ state: inout [Int], response: Int) { state.append(response) }
  func recover(_ state: inout [Int], request: Int, error: any Error) {}
  nonisolated func policy(for request: Int) -> DispatchPolicy { .latest(0) }
}

@Suite struct LateCommitTests {
  @Test("O4: a late commit of a superseded request is dropped")
  func dropped() async {
    await exploreContract(seeds: 10_000) {
      let latest = Latest()
      for number in 1...3 {
        latest.send(number)
        for _ in 0..<3 { await Task.yield() }
      }
      await untilIdle()
      let committed = latest.state
      try hold(committed == committed.sorted(), "committed \(committed)")
      try hold(committed.last == 3, "the last number committed is \(committed.last ?? 0)")
    }
  }
}
