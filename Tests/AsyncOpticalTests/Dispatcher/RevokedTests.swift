@testable import AsyncOptical
import Observation

/// The writes that a superseded or cancelled dispatch can no longer make, and those that it still can.
@Suite struct RevokedTests {
  /// The ways to write.
  enum Way: CaseIterable, Sendable { case commit, failure, restore, undo }

  private static func write(_ id: Int, to worker: Worker, _ way: Way) async {
    switch way {
    case .commit: await worker.commit(id)
    case .failure: await worker.commit(error: Broken(), from: .init(id: id))
    case .restore: await worker.restore(.init(done: [id]))
    case .undo:
      let history = UndoHistory(of: worker, restoring: \.done)
      await worker.undo(history)
      await worker.restore(.init(done: [id]))
    }
  }

  /// The kind of task from which a dispatch writes.
  enum Place: CaseIterable, Sendable { case itself, child, unstructured }

  private static func write(_ id: Int, to worker: Worker, _ way: Way, from place: Place) async {
    switch place {
    case .itself: await write(id, to: worker, way)
    case .child: await withDiscardingTaskGroup { $0.addTask { await write(id, to: worker, way) } }
    case .unstructured: await Task { await write(id, to: worker, way) }.value
    }
  }

  @Test(
    "O4: a superseded dispatch writes nothing, no matter which call or task it uses",
    arguments: Way.allCases, Place.allCases)
  func superseded(way: Way, place: Place) async {
    await exploreContract(seeds: 100) {
      let (worker, gate) = (Worker(), Gate())
      worker.send(1, .latest("page")) {
        await gate.wait()
        await Self.write(9, to: worker, way, from: place)
      }
      await worker.supersede(gate)
      try hold(worker.state == .init(done: [2]), "\(way) from \(place): \(worker.state)")
    }
  }

  @Test(
    "O4: cancelling the bag cancels a runner's current message, even if it is not the runner's first"
  )
  func laterMessage() async {
    for count in 1...3 {
      await exploreContract(seeds: 100, allowing: [.noChoice]) {
        let (worker, gate) = (Onsite(), Gate())
        for id in 1..<count { worker.send(id) }
        worker.send(count) { _ in await gate.wait() }
        await untilIdle()
        worker.knot.bag.cancel()
        gate.open()
        await untilIdle()
        try hold(worker.state == Array(1..<count), "\(worker.state) of \(count)")
      }
    }
  }

  @Test(
    "O3: a throttled message waits for its interval, but not for a message that the bag cancelled",
    arguments: [true, false])
  func throttledAfterCancelledBag(isDue: Bool) async {
    await exploreContract(seeds: 200) {
      let (clock, gate) = (TestClock(), Gate())
      let worker = Worker(clock: clock)
      worker.send(1, .throttled("page", for: .seconds(1))) { await gate.wait() }
      await untilIdle()
      worker.send(2, .throttled("page", for: .seconds(1)))
      await untilIdle()
      if isDue { await clock.advance(by: .seconds(1)) }
      worker.knot.bag.cancel()
      if !isDue { await clock.advance(by: .seconds(1)) }
      await untilIdle()
      try hold(worker.started.all == [1, 2], "started: \(worker.started.all)")
      gate.open()
      await untilIdle()
      try hold(worker.state == .init(done: [2]), "\(worker.state)")
    }
  }

  @Test(
    "O3: a throttled message that starts after a cancellation begins a new interval",
    arguments: [true, false])
  func intervalAfterCancelledBag(returns: Bool) async {
    await exploreContract(seeds: 100, allowing: [.noChoice]) {
      let (clock, gate) = (TestClock(), Gate())
      let worker = Worker(clock: clock)
      worker.send(1, .throttled("page", for: .seconds(1))) { await gate.wait() }
      await untilIdle()
      worker.send(2, .throttled("page", for: .seconds(1)))
      await untilIdle()
      await clock.advance(by: .milliseconds(1_500))
      worker.knot.bag.cancel()
      await untilIdle()
      if returns { gate.open() }
      await untilIdle()
      try hold(worker.started.all == [1, 2], "started: \(worker.started.all)")
      worker.send(3, .throttled("page", for: .seconds(1)))
      await clock.advance(by: .milliseconds(999))
      await untilIdle()
      try hold(worker.started.all == [1, 2], "started too early: \(worker.started.all)")
      await clock.advance(by: .milliseconds(1))
      await untilIdle()
      try hold(worker.started.all == [1, 2, 3], "started: \(worker.started.all)")
      gate.open()
    }
  }

  @Test(
    "O14: a throttled message that the bag has cancelled ends with .superseded at the next send"
  )
  func endsWithTheNext() async {
    await exploreContract(seeds: 100, allowing: [.noChoice]) {
      let (clock, gate, outcomes) = (TestClock(), Gate(), Log<DispatchOutcome>())
      let worker = Worker(clock: clock)
      let policy = DispatchPolicy.throttled("page", for: .seconds(1))
      let caller = Task {
        outcomes.append(
          await worker.perform(.init(id: 1, policy: policy) { await gate.wait() }))
      }
      await untilIdle()
      worker.knot.bag.cancel()
      await untilIdle()
      worker.send(2, policy)
      await untilIdle()
      try hold(outcomes.all == [.superseded], "\(outcomes.all)")
      gate.open()
      await caller.value
    }
  }

  @Test("O3, O4: a message is cancelled even while its runner's task is being created")
  func earlyRunner() async {
    await exploreContract(seeds: 2_000) {
      let (worker, cancelled) = (Onsite(), Log<Int>())
      let gates = (0...2).map { _ in Gate() }
      await withDiscardingTaskGroup { group in
        for id in 1...2 {
          group.addTask {
            worker.send(id, .latest("page")) { _ in
              await withTaskCancellationHandler {
                await gates[id].wait()
              } onCancel: {
                cancelled.append(id)
                gates[id].open()
              }
            }
          }
        }
      }
      await untilIdle()
      let started = worker.started.all
      try hold(cancelled.all == started.dropLast(), "\(started), cancelled \(cancelled.all)")
      for gate in gates { gate.open() }
    }
  }

  @Test("O4: a loop that a dispatch started in a bag continues when the dispatch is superseded")
  func loopOutlivesTheDispatch() async {
    await exploreContract(seeds: 500) {
      let (worker, gate, events, bag) = (Worker(), Gate(), EventChannel<Int>(), TaskBag())
      worker.send(1, .latest("page")) {
        events.subscribe().live(in: bag) { await worker.commit($0) }
        await gate.wait()
      }
      await worker.supersede(gate)
      events.send(7)
      events.finish()
      await bag.wait()
      await untilIdle()
      try hold(worker.state == .init(done: [2, 7]), "\(worker.state)")
    }
  }

  @Test(
    "O4: a cancelled dispatch writes nothing, regardless of its policy",
    arguments: Way.allCases, Place.allCases)
  func cancelled(way: Way, place: Place) async {
    for policy in [DispatchPolicy.concurrent, .serial(0)] {
      await exploreContract(seeds: 50) {
        let (worker, gate) = (Worker(), Gate())
        worker.send(1, policy) {
          await gate.wait()
          await Self.write(9, to: worker, way, from: place)
        }
        await untilIdle()
        worker.knot.bag.cancel()
        gate.open()
        await untilIdle()
        try hold(worker.state == .init(), "\(way) from \(place): \(worker.state)")
      }
    }
  }

  @Test("O4: outside a dispatch, a cancelled task commits nothing, but its restore is carried out")
  func outside() async {
    let (worker, counter, gate) = (Worker(), Counter(), Gate())
    let task = Task {
      await gate.wait()
      await worker.commit(1)
      await counter.accept(.added(1))
      await counter.restore(.init(count: 5))
    }
    task.cancel()
    gate.open()
    await task.value
    #expect(worker.state.done == [])
    #expect(counter.state.count == 5)
  }

  @Test("O4: the task of a superseded dispatch may still write to another opticle")
  func otherOpticle() async {
    await exploreContract(seeds: 500) {
      let (worker, other, gate) = (Worker(), Worker(), Gate())
      worker.send(1, .latest("page")) {
        Task {
          await gate.wait()
          await other.commit(7)
        }
        await gate.wait()
      }
      await worker.supersede(gate)
      try hold(other.state.done == [7], "\(other.state)")
    }
  }

  @Test("O4: a watcher that a dispatch creates outlives the dispatch")
  func watcher() async {
    await exploreContract(seeds: 500) {
      let (worker, other) = (Worker(), Worker())
      worker.send(1, .latest("page")) {
        worker.watch.map(\.done.count).live(in: worker.knot.bag) { count in
          await other.commit(count)
        }
        await Task.yield()
      }
      await worker.supersede(Gate())
      await worker.commit(3)
      await untilIdle()
      try hold(other.state.done.last == worker.state.done.count, "\(other.state), \(worker.state)")
    }
  }

  @Test(
    "O4, S19: a handler of an Observed's change does not belong to the message that read it first")
  func observedInDispatch() async {
    await exploreContract(seeds: 500) {
      let (worker, page, gate) = (Worker(), Worker(), Gate())
      let shown = await Observed(page)
      worker.send(1, .latest("page")) {
        await MainActor.run { _ = shown.done }
        await gate.wait()
      }
      await worker.supersede(gate)
      await MainActor.run {
        withObservationTracking {
          _ = shown.done
        } onChange: {
          Task { await worker.commit(9) }
        }
      }
      await page.commit(1)
      await untilIdle()
      try hold(worker.state.done.contains(9), "\(worker.state)")
    }
  }

  @MainActor private final class Screen: BindView {
    let binding = ViewBinding<Worker>()
    let taps = EventChannel<Int>()

    func state(viewBinder: Worker) {}
    func command(viewBinder: Worker) {
      taps.subscribe().live(in: binding.bag) { await viewBinder.commit($0) }
    }
  }

  @Test("O13: a binding that a view makes inside a dispatch outlives the dispatch")
  func bindInDispatch() async {
    await exploreContract(seeds: 500) {
      let worker = Worker()
      let screen = Screen()
      worker.send(1, .latest("page")) {
        await MainActor.run { screen.viewBinder = worker }
        await Task.yield()
      }
      await worker.supersede(Gate())
      screen.taps.send(3)
      await untilIdle()
      await MainActor.run { screen.viewBinder = nil }
      try hold(worker.state.done.contains(3), "\(worker.state)")
    }
  }
}
