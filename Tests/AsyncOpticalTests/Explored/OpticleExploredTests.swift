/// The concurrency contracts of opticles, over thousands of schedules each.
///
/// The scenarios are small, so the tests take seconds.
@Suite struct OpticleExploredTests {
  @Test("O1, OR3, OR5: concurrent dispatches and commits lose no change")
  func atomic() async {
    await exploreContract(every: .scheduleWithPreemptions(2)) {
      let worker = Worker()
      await withDiscardingTaskGroup { group in
        for id in 0..<2 {
          group.addTask { await worker.dispatch(.init(id: id) { await Task.yield() }) }
          group.addTask { await worker.commit(10 + id) }
        }
      }
      try hold(worker.state.done.sorted() == [0, 1, 10, 11], "done \(worker.state.done)")
    }
  }

  @Test("O2: recover handles an error, and a cancellation changes nothing")
  func errors() async {
    await exploreContract(every: .scheduleWithPreemptions(0)) {
      let worker = Worker()
      let cancelledAtWork = Log<Int>()
      await withDiscardingTaskGroup { group in
        group.addTask { await worker.dispatch(.init(id: 0) { await Task.yield() }) }
        group.addTask {
          await worker.dispatch(
            .init(id: 1) {
              await Task.yield()
              throw Broken()
            })
        }
        group.addTask { await worker.dispatch(.init(id: 2) { throw CancellationError() }) }
        group.addTask {
          await withTaskGroup { group in
            for id in 3...4 {
              group.addTask {
                await worker.dispatch(
                  .init(id: id) {
                    await Task.yield()
                    if Task.isCancelled { cancelledAtWork.append(id) }
                    if id == 4 { throw Broken() }
                  })
              }
            }
            await Task.yield()
            group.cancelAll()
          }
        }
      }
      await worker.dispatch(.init(id: 5))
      let (done, failed) = (Set(worker.state.done), Set(worker.state.failed))
      try hold(worker.ended.all.count == 6, "ended \(worker.ended.all)")
      try hold([[0, 5], [0, 3, 5]].contains(done), "done \(done)")
      try hold([[1], [1, 4]].contains(failed), "failed \(failed)")
      let late = done.union(failed).intersection(cancelledAtWork.all)
      try hold(late.isEmpty, "\(late) changed the state after they were cancelled")
      let missing = Set(0...5).subtracting(done.union(failed).union(worker.cancelled.all))
      try hold(missing == [2], "\(missing) changed nothing, but were not cancelled")
    }
  }

  @Test("O3, M1: requests start in the order sent, and serial ones run one by one")
  func serial() async {
    await exploreContract(every: .scheduleWithPreemptions(2)) {
      let worker = Worker()
      for id in 0..<3 {
        worker.send(id, .serial(0)) { await Task.yield() }
        await Task.yield()
      }
      await untilIdle()
      try hold(worker.started.all == [0, 1, 2], "started \(worker.started.all)")
      try hold(worker.state.done == [0, 1, 2], "done \(worker.state.done)")
    }
  }

  @Test(
    "O3: an exclusive id has one request in flight at a time, and carries out the first request")
  func exclusive() async {
    await exploreContract(every: .scheduleWithPreemptions(2)) {
      let worker = Worker()
      let running = Log<Int>()
      for id in 0..<3 {
        worker.send(id, .exclusive(0)) {
          running.append(1)
          await Task.yield()
          running.append(-1)
        }
        await Task.yield()
      }
      await untilIdle()
      let pattern = running.all
      let alternates = pattern.enumerated().allSatisfy { $1 == ($0.isMultiple(of: 2) ? 1 : -1) }
      try hold(!pattern.isEmpty && alternates, "ran \(pattern)")
      try hold(worker.state.done.first == 0, "done \(worker.state.done)")
    }
  }

  @Test("O3: a debounced id starts its newest request after a quiet period")
  func debounced() async {
    await exploreContract(every: .scheduleWithPreemptions(2)) {
      let clock = TestClock()
      let worker = Worker(clock: clock)
      for id in 0..<3 {
        worker.send(id, .debounced(0, for: .seconds(1)))
        await Task.yield()
      }
      try await clock.sleep(for: .seconds(3))
      try hold(worker.state.done == [2], "done \(worker.state.done)")
    }
  }

  @Test("O3, M1: a message sent after a cancellation is carried out")
  func sendAfterCancel() async {
    await exploreContract(every: .scheduleWithPreemptions(1)) {
      let worker = Worker()
      await withDiscardingTaskGroup { group in
        group.addTask {
          for id in 0..<2 {
            worker.send(id) { await Task.yield() }
            await Task.yield()
          }
        }
        group.addTask {
          worker.knot.bag.cancel()
          for id in 10..<12 { worker.send(id) }
        }
      }
      await untilIdle()
      try hold(worker.ended.all.count == 4, "ended \(worker.ended.all)")
      let sent = worker.started.all.filter { $0 >= 10 }
      try hold(sent == [10, 11], "started \(sent)")
      let done = worker.state.done.filter { $0 >= 10 }
      try hold(done.count == 2, "10 and 11 were sent after the cancellation; only \(done) are done")
    }
  }

  @Test("O5: waiting messages do not keep their opticle alive")
  func lifetime() async {
    await exploreContract(every: .scheduleWithPreemptions(2)) {
      let probe: LifetimeProbe
      do {
        let worker = Worker()
        probe = LifetimeProbe(worker)
        for id in 0..<2 { worker.send(id, .serial(0)) { await Task.yield() } }
        worker.send(2, .latest(0)) { await Task.yield() }
        await Task.yield()
      }
      await untilIdle()
      try hold(probe.isReleased, "the opticle is still alive")
    }
  }

  @Test("O5, X11: a request that is cancelled at any suspension leaves nothing behind")
  func cancelledAnywhere() async {
    let moments = await exploreCancelling {
      let probe: LifetimeProbe
      do {
        let worker = Worker()
        probe = LifetimeProbe(worker)
        for id in 0..<2 { worker.send(id, .serial(0)) { await Task.yield() } }
        await worker.dispatch(.init(id: 2) { await Task.yield() })
        for await count in worker.watch.map(\.done.count) where count == 3 { break }
      }
      await untilIdle()
      try hold(probe.isReleased, "the opticle is still alive")
      try hold(probe.registeredObservers == 0, "a watcher stayed registered")
    }
    #expect(moments > 8)
  }

  @Test("O6: watchers see states in order up to the last, and leave nothing behind when dropped")
  func watchers() async {
    await exploreContract(every: .scheduleWithPreemptions(0)) {
      let worker = Worker()
      try await withThrowingDiscardingTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            var last = -1
            for await count in worker.watch.map(\.done.count) {
              try hold(count > last, "\(count) came after \(last)")
              last = count
              if count == 3 { return }
            }
          }
        }
        for id in 0..<3 { group.addTask { await worker.commit(id) } }
      }
      await untilIdle()
      try hold(worker.knot.observerCount == 0, "\(worker.knot.observerCount) stayed registered")
    }
  }

  @Test("O7: transitions form a chain without a gap, no matter when a subscriber begins")
  func transitions() async {
    await exploreContract(every: .scheduleWithPreemptions(0)) {
      let worker = Worker()
      try await withThrowingDiscardingTaskGroup { group in
        for id in 0..<2 { group.addTask { await worker.dispatch(.init(id: id)) } }
        group.addTask { await worker.dispatch(.init(id: 2) { throw Broken() }) }
        group.addTask { await worker.restore(Worker.State(done: [9])) }
        for _ in 0..<2 {
          group.addTask {
            await Task.yield()
            var transitions = worker.transitions.makeAsyncIterator()
            // The subscriber waits for the transition of this commit. Others may have happened before it subscribed.
            await worker.commit(7)
            var states: [Worker.State] = []
            while let transition = await transitions.next() {
              try hold(
                states.isEmpty || states.last == transition.before,
                "\(transition.before) follows \(states)")
              states.append(transition.after)
              guard case .response(7) = transition.cause else { continue }
              try hold(transition.after.done == transition.before.done + [7], "\(transition)")
              return
            }
            try hold(false, "the transitions ended with \(states)")
          }
        }
      }
    }
  }

  private actor Binder: ViewBindable {
    struct State: Sendable { var values: [Int] = [] }
    let knot = Knot(State())
    let started = Log<Int>()

    func binding(command: Int) async {
      started.append(command)
      for _ in 0..<command % 2 { await Task.yield() }
      accept(command)
    }
    func reduce(_ action: Int, into state: inout State) { state.values.append(action) }
  }

  @Test(
    "V1: commands are handled in the order sent, and each accepted action changes the state once"
  )
  func commands() async {
    await exploreContract(every: .scheduleWithPreemptions(2)) {
      let binder = Binder()
      for command in 1...4 {
        binder.send(command)
        if command > 2 { await Task.yield() }
      }
      await untilIdle()
      try hold(binder.started.all == [1, 2, 3, 4], "started \(binder.started.all)")
      try hold(binder.state.values.sorted() == [1, 2, 3, 4], "accepted \(binder.state.values)")
    }
  }
}
