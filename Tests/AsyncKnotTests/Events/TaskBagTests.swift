@testable import AsyncKnot
import AsyncKnotTesting
import TestSupport
import Testing

@Suite struct TaskBagTests {
  @Test("S13: work that starts after its member was cancelled is cancelled")
  func lateWork() {
    let (member, isCancelled) = (BagMember(isTask: false), Shared(false))
    member.cancel()
    member.start(BagMember.Work(cancel: { isCancelled.value = true }))
    #expect(isCancelled.value)
  }

  @Test("S13: a task in a bag is cancelled by the bag, by its entry, and when the bag is released")
  func cancels() async {
    let never = EventChannel<Int>()
    let ended = EventChannel<String>()
    let recorder = Recorder(ended.subscribe())
    @Sendable func wait(_ name: String) async {
      for await _ in never.subscribe() {}
      ended.send(name)
    }
    let bag = TaskBag()
    let entry = bag.add { await wait("entry") }
    bag.add(Task { await wait("task") })
    #expect(!bag.isEmpty)
    entry.cancel()
    entry.cancel()
    await recorder.wait { $0 == ["entry"] }
    await bag.cancelAndWait()
    #expect(bag.isEmpty)
    await recorder.wait { $0 == ["entry", "task"] }
    do {
      let scoped = TaskBag()
      scoped.add { await wait("scope") }
    }
    await recorder.wait { $0.last == "scope" }
  }

  @Test("VR3, S13: a cancelled bag stays usable, and finished tasks leave it")
  func staysUsable() async {
    let bag = TaskBag()
    bag.cancel()
    for _ in 0..<100 {
      let done = EventChannel<Void>()
      let subscription = done.subscribe()
      bag.add { done.finish() }
      for await _ in subscription {}
    }
    await waitWhile(!bag.isEmpty)
    bag.add(Task {})
    await waitWhile(!bag.isEmpty)
  }

  @Test("S13: a task that ended leaves its bag, and any other bag that could have cancelled it")
  func endedWorkLeaves() async {
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let (bag, other) = (TaskBag(), TaskBag())
      bag.add {}
      bag.add { @MainActor in }
      _ = bag.add(on: nil, with: other) {}
      _ = bag.add(on: MainActor.shared, with: other) {}
      _ = bag.addApart(priority: .medium) {}
      bag.add(Task {})
      await untilIdle()
      try hold(bag.count == 0 && other.count == 0, "\(bag.count) and \(other.count) tasks remain")
    }
  }

  @Test("S13: a task that its entry cancelled leaves the bag immediately, even while still running")
  func cancelledEntryLeaves() async {
    let (bag, gate) = (TaskBag(), Gate())
    let entry = bag.add { await gate.wait() }
    #expect(bag.count == 1)
    entry.cancel()
    #expect(bag.count == 0)
    gate.open()
  }

  @Test(
    "S13, S8: a live loop that has received no element ends with its bag, and leaves its channel")
  func liveBeforeTheFirst() async {
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let (bag, events) = (TaskBag(), EventChannel<Int>())
      events.subscribe().live(in: bag) { _ in }
      await untilIdle()
      try hold(events.hasSubscribers, "the loop has not subscribed")
      await bag.cancelAndWait()
      await untilIdle()
      try hold(!events.hasSubscribers, "the loop is still subscribed")
    }
  }

  @Test("S13: an error that ends a live loop is reported, whether or not an element came first")
  func liveError() async {
    for elements in [[], [1, 2]] {
      await exploreContract(seeds: 100, allowing: [.noChoice]) {
        let (bag, heard) = (TaskBag(), Log<String>())
        Breaking(elements: elements).live(in: bag) {
          heard.append("\($0)")
        } onError: {
          heard.append("error \($0.code)")
        }
        await bag.wait()
        try hold(heard.all == elements.map { "\($0)" } + ["error 42"], "\(heard.all)")
      }
    }
  }

  @Test(
    "S22: work started in a bag continues when its entry is dropped, and ends with the bag")
  func droppedEntries() async {
    await exploreContract(seeds: 500) {
      let (node, bag, heard) = (Node(), TaskBag(), Log<String>())
      let events = EventChannel<Int>()
      do {
        let entries = [
          events.subscribe().pipe(to: node, in: bag) { $1.count = $0 },
          events.subscribe().live(in: bag) { heard.append("live \($0)") },
          bag.add { [events = events.subscribe()] in
            for await event in events { heard.append("add \(event)") }
          },
          await node.observe(in: bag) { _, state in heard.append("observe \(state.count)") },
        ]
        withExtendedLifetime(entries) {}
      }
      events.send(1)
      await untilIdle()
      try hold(heard.all.sorted() == ["add 1", "live 1", "observe 1"], "\(heard.all)")
      bag.cancel()
      events.send(2)
      await node.sink(.init(count: 3))
      await untilIdle()
      try hold(heard.all.count == 3, "heard after the end: \(heard.all)")
      try hold(bag.isEmpty && bag.count == 0, "something is left in the bag")
    }
  }

  @Test("S17: the captures of a main-actor closure are released on the main actor")
  func releasedOnTheMainActor() async {
    let log = Log<Bool>()
    for _ in 0..<200 {
      let bag = TaskBag()
      // Run on the main actor, because this frame also references the label and can be the last to release it.
      await MainActor.run {
        let label = Mortal(log)
        bag.add { @MainActor in
          await Task.yield()
          withExtendedLifetime(label) {}
        }
      }
      await bag.wait()
    }
    await waitWhile(log.count < 200)
    // In a debug build, the frames that pass the closure along keep the closure until they return, perhaps after its task
    // has ended.
    withKnownIssue("a caller's frame kept the closure", isIntermittent: true) {
      #expect(!log.all.contains(false))
    } when: {
      _isDebugAssertConfiguration()
    }
  }

  @Test("Main-actor closures start in the order in which they were added")
  func order() async {
    for _ in 0..<200 {
      let (bag, started) = (TaskBag(), Log<Int>())
      for number in 0..<4 { bag.add { @MainActor in started.append(number) } }
      await bag.wait()
      #expect(started.all == [0, 1, 2, 3])
    }
  }
}
