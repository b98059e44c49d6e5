import AsyncKnotTesting
import AsyncOptical
import Synchronization
import TestSupport
import Testing

/// The order in which a handler's calls run, and how they end.
@Suite(.timeLimit(.minutes(30))) struct LiveEndingTests {
  /// A counter of calls that overlap, and of calls that begin after the cancellation.
  private actor Ground {
    private(set) var overlaps = 0
    private(set) var late = 0
    private(set) var calls = 0
    private var inside = 0
    private var mayCall = true

    func watch(_ worker: Worker) -> TaskBag.Entry {
      worker.watch.live(in: worker.knot.bag) { _ in await self.enter() }
    }

    private func enter() async {
      if !mayCall { late += 1 }
      calls += 1
      inside += 1
      if inside > 1 { overlaps += 1 }
      await Task.yield()
      inside -= 1
    }

    func cancel(_ entry: TaskBag.Entry) {
      entry.cancel()
      mayCall = false
    }
  }

  @Test(
    "O11: a handler's calls never overlap, and none begins after code on its actor has cancelled it"
  )
  func neverOverlaps() async {
    await exploreContract {
      let (worker, ground) = (Worker(), Ground())
      let entry = await ground.watch(worker)
      await withDiscardingTaskGroup { group in
        for id in 0..<2 { group.addTask { await worker.commit(id) } }
        group.addTask {
          await Task.yield()
          await ground.cancel(entry)
        }
      }
      await worker.commit(2)
      await untilIdle()
      let (overlaps, late) = await (ground.overlaps, ground.late)
      try hold(overlaps == 0, "\(overlaps) calls overlapped")
      try hold(late == 0, "\(late) calls began after the end")
    }
  }

  @Test(
    "O11: on real threads, a handler's calls never overlap, and none begins after its actor cancels it"
  )
  func onThreads() async {
    for round in 0..<(isSanitized ? 200 : 2_000) {
      let (worker, ground) = (Worker(), Ground())
      let entry = await ground.watch(worker)
      async let committed: Void = worker.commit(round)
      await ground.cancel(entry)
      await committed
      await yieldToOthers()
      let (overlaps, late) = await (ground.overlaps, ground.late)
      #expect(overlaps == 0)
      #expect(late == 0)
    }
  }

  /// An object that holds the bag entry of a handler that captures the object.
  private final class Screen: Sendable {
    let entry = Mutex<TaskBag.Entry?>(nil)
    let gone: @Sendable () -> Void
    init(_ gone: @escaping @Sendable () -> Void) { self.gone = gone }
    deinit { gone() }
  }

  /// How the calls to a handler end.
  enum Ending: CaseIterable, Sendable { case cancelled, transforms, bag }

  @Test(
    "S16, O6: every way to end a handler releases its captures and those of its transforms",
    arguments: Ending.allCases)
  func released(_ ending: Ending) async {
    await exploreContract(seeds: 500, allowing: [.noChoice]) {
      let (worker, bag, gone) = (Worker(), TaskBag(), Log<Bool>())
      var kept: TaskBag.Entry?
      do {
        let screen = Screen { gone.append(true) }
        let entry =
          if case .transforms = ending {
            worker.watch.map { _ in withExtendedLifetime(screen) { 1 } }.live(in: bag) { _ in }
          } else {
            worker.watch.live(in: bag) { _ in withExtendedLifetime(screen) {} }
          }
        kept = entry
        await Task.yield()
        switch ending {
        case .cancelled:
          screen.entry.withLock { $0 = entry }
          entry.cancel()
        case .transforms: entry.cancel()
        case .bag: bag.cancel()
        }
      }
      await untilIdle()
      try hold(gone.all == [true] && bag.isEmpty, "a capture or a task was not released")
      withExtendedLifetime(kept) {}
    }
  }

  private final class Cell: Sendable {}

  @Test(
    "S16: the handlers of released objects do not accumulate, even if no next value arrives"
  )
  @MainActor func releasedObjects() async {
    for policy in [nil, AsyncStream<Worker.State>.Continuation.BufferingPolicy.bufferingNewest(1)] {
      let (worker, bag, gone) = (Worker(), TaskBag(), Log<Bool>())
      let states = policy.map { worker.watch(buffering: $0) } ?? worker.watch
      for _ in 0..<100 {
        let screen = Screen { gone.append(true) }
        let (cell, hasBegun) = (Cell(), Shared(false))
        states.live(with: cell, in: bag) { _, _ in
          withExtendedLifetime(screen) {}
          hasBegun.value = true
        }
        // The handler's task now waits for the next value, which never arrives.
        await waitWhile(!hasBegun.value)
        withExtendedLifetime(cell) {}
      }
      // Up to three handlers may still exist, depending on which tasks have ended. Later calls to `live` release them.
      let living = Cell()
      for _ in 0..<4 { states.live(with: living, in: bag) { _, _ in } }
      await waitWhile(gone.all.count < 97)
      bag.cancel()
      await waitWhile(gone.all.count < 100)
    }
  }

  @Test("O6: a living object's handler continues while other objects come and go")
  @MainActor func livingObjects() async {
    let (worker, bag, cell, seen) = (Worker(), TaskBag(), Cell(), Log<Int>())
    worker.watch.live(with: cell, in: bag) { _, state in seen.append(state.done.count) }
    for id in 0..<100 {
      worker.watch.live(with: Cell(), in: bag) { _, _ in }
      worker.watch.live(with: cell, in: bag) { _, _ in }.cancel()
      await worker.commit(id)
    }
    await waitWhile(seen.all.last != 100)
    bag.cancel()
  }

  @Test("S13: cancelAndWait() waits for a running handler")
  func waitsForHandlers() async {
    await exploreContract(seeds: 500, allowing: [.noChoice]) {
      let (worker, bag, gate, ended) = (Worker(), TaskBag(), Gate(), Log<Bool>())
      worker.watch.live(in: bag) { _ in
        await gate.wait()
        ended.append(true)
      }
      await untilIdle()
      async let cancelled: Void = bag.cancelAndWait()
      await untilIdle()
      gate.open()
      await cancelled
      try hold(ended.all == [true], "\(ended.all)")
    }
  }

  @Test("S14: if a sequence throws, its handler is not called again, and the error is reported")
  func failing() async {
    struct Fault: Error {}
    let (bag, seen) = (TaskBag(), Log<Int>())
    let numbers = AsyncThrowingStream<Int, any Error> { continuation in
      for number in 0..<3 { continuation.yield(number) }
      continuation.finish(throwing: Fault())
    }
    numbers.live(in: bag) {
      seen.append($0)
    } onError: {
      if $0 is Fault { seen.append(-1) }
    }
    await bag.wait()
    #expect(seen.all == [0, 1, 2, -1])
  }

  @Test(
    "O6: the element that is current when live is called arrives first, even if the handler starts late"
  )
  @MainActor func firstAtOnce() async {
    let (worker, seen) = (Worker(), Log<Int>())
    worker.watch.map(\.done.count).live(in: worker.knot.bag) { seen.append($0) }
    // The handler cannot run before the loop below ends, because the loop keeps the main actor busy.
    let committed = Mutex(false)
    Task.detached {
      await worker.commit(1)
      committed.withLock { $0 = true }
    }
    while !committed.withLock({ $0 }) {}
    await waitWhile(seen.all.last != 1)
    #expect(seen.all == [0, 1])
  }

  @Test("O6: a handler of watch(buffering:) receives every state, in order")
  func buffering() async {
    let (worker, seen, bag) = (Worker(), Log<Int>(), TaskBag())
    worker.watch(buffering: .unbounded).map(\.done.count).live(in: bag) { seen.append($0) }
    for id in 0..<10_000 { await worker.commit(id) }
    await waitWhile(seen.all.count < 10_001)
    let isComplete = seen.all == Array(0...10_000)
    #expect(isComplete)
    await bag.cancelAndWait()
    #expect(LifetimeProbe(worker).registeredObservers == 0)
  }

  private enum Name { @TaskLocal static var current = "none" }

  @Test("F3: a handler sees the task-local values of the code that called live")
  func locals() async {
    await exploreContract(seeds: 300) {
      let (worker, seen) = (Worker(), Log<String>())
      let entry = Name.$current.withValue("alice") {
        worker.watch.live(in: worker.knot.bag) { _ in seen.append(Name.current) }
      }
      await untilIdle()
      await Name.$current.withValue("carol") { await worker.commit(1) }
      await untilIdle()
      await Name.$current.withValue("carol") { await worker.commit(2) }
      await untilIdle()
      try hold(seen.all == ["alice", "alice", "alice"], "saw \(seen.all)")
      entry.cancel()
    }
  }
}
