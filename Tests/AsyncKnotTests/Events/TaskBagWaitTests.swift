@Suite struct TaskBagWaitTests {
  @Test("S13: wait returns when all tasks have ended, including tasks that were added meanwhile")
  func waits() async {
    await exploreContract(seeds: 2_000) {
      let (bag, ended) = (TaskBag(), Log<Int>())
      for task in 0..<2 {
        bag.add {
          await Task.yield()
          if task == 0 { bag.add { ended.append(9) } }
          ended.append(task)
        }
      }
      bag.add(
        Task(executorPreference: Exploration.executor) {
          await Task.yield()
          ended.append(2)
        })
      await bag.wait()
      try hold(Set(ended.all) == [0, 1, 2, 9], "wait returned early: \(ended.all)")
      try hold(bag.isEmpty, "the bag is not empty after wait")
    }
  }

  @Test("S13: wait cancels nothing")
  func cancelsNothing() async {
    let (bag, cancelled) = (TaskBag(), Log<Bool>())
    bag.add {
      for _ in 0..<10 { await Task.yield() }
      cancelled.append(Task.isCancelled)
    }
    await bag.wait()
    #expect(cancelled.all == [false])
  }

  @Test(
    "S13: cancelAndWait does not leave a task running, even if tasks are added concurrently")
  func cancelBesideAdding() async {
    await exploreContract(seeds: 2_000) {
      let (bag, running) = (TaskBag(), Log<Int>())
      let adder = Task(executorPreference: Exploration.executor) {
        for _ in 0..<2 {
          bag.add {
            running.append(1)
            while !Task.isCancelled { await Task.yield() }
            running.append(-1)
          }
          await Task.yield()
        }
      }
      await bag.cancelAndWait()
      await adder.value
      await bag.cancelAndWait()
      try hold(running.all.reduce(0, +) == 0, "a task is still running")
      try hold(bag.isEmpty, "a task stayed in the bag")
    }
  }

  @Test("S13: cancelAndWait also waits for a task that it cancels while the task is being added")
  func waitsForAdded() async {
    await exploreContract(seeds: 2_000) {
      let (bag, log) = (TaskBag(), Log<String>())
      let channel = EventChannel<Int>()
      let adder = Task(executorPreference: Exploration.executor) {
        _ = bag.add {
          for await _ in channel.subscribe() {}
          await Task.yield()
          log.append("ended")
        }
      }
      await Task.yield()
      await bag.cancelAndWait()
      log.append("returned")
      await adder.value
      await untilIdle()
      try hold(log.all != ["returned", "ended"], "wait returned before a cancelled task ended")
      channel.finish()
      await bag.wait()
      try hold(log.all.count == 2, "\(log.all)")
    }
  }

  @Test(
    "S13: a holder's own bag is cancelled when the holder is released, even if a task waits for the bag"
  )
  func keptBag() async {
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let (never, log) = (EventChannel<Int>(), Log<String>())
      var node: PlainNode? = PlainNode()
      guard let bag = node?.knot.bag else { return }
      bag.add {
        for await _ in never.subscribe() {}
        log.append("cancelled: \(Task.isCancelled)")
      }
      let waiter = Task(executorPreference: Exploration.executor) {
        await bag.wait()
        log.append("waited")
      }
      await untilIdle()
      try hold(log.all == [], "\(log.all) before the holder is released")
      node = nil
      await untilIdle()
      try hold(log.all == ["cancelled: true", "waited"], "\(log.all)")
      await waiter.value
    }
  }
}
