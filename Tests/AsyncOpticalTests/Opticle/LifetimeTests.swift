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
