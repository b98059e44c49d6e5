@Suite struct LifetimeTests {
  @Test("O5: a debounced request does not keep the opticle alive, and is released with it")
  func debounced() async {
    await exploreContract(seeds: 500) {
      let clock = TestClock()
      let log = Log<Int>()
      let probe: LifetimeProbe
      do {
        let worker = Worker(clock: clock)
        probe = LifetimeProbe(worker)
        worker.send(0, .debounced("a", for: .seconds(1))) { log.append(0) }
        await untilIdle()
        try hold(clock.sleeperCount == 1, "no timer runs")
      }
      await untilIdle()
      try hold(probe.isReleased, "the timer keeps the opticle alive")
      try hold(clock.sleeperCount == 0, "the timer is still running")
      try hold(log.all.isEmpty, "the request was dispatched")
    }
  }

  @Test(
    "O5, O21: a waiting request ends with its opticle, at the latest at its deadline, even if the knot is kept",
    arguments: [false, true])
  func keptKnot(isDelayed: Bool) async {
    await exploreContract(seeds: 500) {
      let (clock, bag, kinds) = (TestClock(), TaskBag(), Log<String>())
      let knot: Knot<Worker.State>
      do {
        let worker = Worker(clock: clock)
        knot = worker.knot
        worker.trace(in: bag) { kinds.append($0.kind.name) }
        worker.send(0, isDelayed ? .debounced("a", for: .seconds(1)) : .serial("a"))
        if isDelayed { await untilIdle() } else if Bool.random() { await Task.yield() }
        withExtendedLifetime(worker) {}
      }
      await untilIdle()
      await clock.advance(by: .seconds(1))
      await untilIdle()
      let end = kinds.all.last ?? ""
      try hold(end == "ended: dropped" || !isDelayed && end == "ended: carriedOut", "\(kinds.all)")
      if !isDelayed { sometimes("the mailbox keeps the request", end == "ended: dropped") }
      withExtendedLifetime(knot) {}
    }
  }

  @Test("O6: watchers do not keep the opticle alive, and end with it")
  func watchers() async {
    await exploreContract(seeds: 500) {
      let (log, bag) = (Log<Int>(), TaskBag())
      let probe: LifetimeProbe
      do {
        let worker = Worker()
        probe = LifetimeProbe(worker)
        worker.watch.map(\.done.count).live(in: bag) { log.append($0) }
        worker.watch.live(in: bag) { [weak log] state in log?.append(state.done.count) }
        await untilIdle()
        await worker.commit(1)
      }
      await untilIdle()
      try hold(
        probe.isReleased && probe.registeredObservers == 0 && bag.isEmpty,
        "the opticle, an observer or a task remains")
      try hold(log.all.filter { $0 == 1 }.count == 2, "the last state is missing: \(log.all)")
    }
  }
}
