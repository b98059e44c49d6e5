import AsyncKnotTesting
import AsyncOptical
import Synchronization
import TestSupport
import Testing

/// Controls that are used from everywhere at once.
@Suite(.timeLimit(.minutes(5))) struct LiveControlTests {
  /// Counts how many handlers are at work, and whether one begins when none should.
  private actor Ground {
    private(set) var overlaps = 0
    private(set) var late = 0
    private(set) var calls = 0
    private var inside = 0
    private var mayCall = true

    func watch(_ worker: Worker) -> LiveControl {
      worker.watch.live(in: worker.bag) { _ in await self.enter() }
    }

    private func enter() async {
      if !mayCall { late += 1 }
      calls += 1
      inside += 1
      if inside > 1 { overlaps += 1 }
      await Task.yield()
      inside -= 1
    }

    func pause(_ control: LiveControl) {
      control.pause()
      mayCall = false
    }

    func resume(_ control: LiveControl) {
      mayCall = true
      control.resume()
    }
  }

  @Test("O11: handlers of one control never overlap, whoever pauses and resumes it")
  func apart() async {
    await exploreContract {
      let (worker, ground) = (Worker(), Ground())
      let control = await ground.watch(worker)
      await withDiscardingTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            for _ in 0..<2 {
              control.pause()
              control.resume()
              await Task.yield()
            }
          }
        }
        group.addTask { await worker.commit(1) }
      }
      await untilIdle()
      let (overlaps, calls) = await (ground.overlaps, ground.calls)
      try hold(overlaps == 0, "\(overlaps) of \(calls) calls overlapped")
      control.cancel()
    }
  }

  @Test("O6: states are delivered in order, whoever pauses and resumes the control meanwhile")
  func inOrder() async {
    await exploreContract(seeds: 10_000) {
      let (worker, seen) = (Worker(), Log<Int>())
      let control = worker.watch.live(in: worker.bag) { seen.append($0.done.count) }
      control.pause()
      await withDiscardingTaskGroup { group in
        group.addTask { control.resume() }
        group.addTask {
          for id in 0..<2 {
            control.resume()
            await worker.commit(id)
            await Task.yield()
            control.pause()
          }
        }
      }
      await untilIdle()
      let all = seen.all
      try hold(all == all.sorted(), "\(all)")
      control.cancel()
    }
  }

  @Test("O11: no handler begins after pause() has returned on its isolation")
  func nothingLate() async {
    await exploreContract {
      let (worker, ground) = (Worker(), Ground())
      let control = await ground.watch(worker)
      control.pause()
      await withDiscardingTaskGroup { group in
        group.addTask { await ground.resume(control) }
        group.addTask { await worker.commit(1) }
        group.addTask {
          await Task.yield()
          await ground.pause(control)
        }
      }
      await ground.pause(control)
      await worker.commit(2)
      await untilIdle()
      let late = await ground.late
      try hold(late == 0, "\(late) handlers began in a pause")
      await ground.resume(control)
      let before = await ground.calls
      await untilIdle()
      let after = await ground.calls
      try hold(after > before, "the newest state was not delivered on resuming")
      control.cancel()
    }
  }

  @Test("O11: on threads of their own neither")
  func onThreads() async {
    for round in 0..<(isSanitized ? 200 : 2_000) {
      let (worker, ground) = (Worker(), Ground())
      let control = await ground.watch(worker)
      async let resumed: Void = Task.detached {
        for _ in 0..<round % 5 { control.resume() }
      }.value
      async let committed: Void = worker.commit(round)
      await ground.pause(control)
      await resumed
      await committed
      control.cancel()
      await yieldToOthers()
      let overlaps = await ground.overlaps
      #expect(overlaps == 0)
    }
  }

  @Test("O6: 200,000 pauses while a handler is stuck leave one member of the bag")
  func storm() async {
    let (worker, gate, bag, calls) = (Worker(), Gate(), TaskBag(), Log<Int>())
    let control = worker.watch.map(\.done.count).live(in: bag) { count in
      calls.append(count)
      await gate.wait()
    }
    while calls.all.isEmpty { await Task.yield() }
    for _ in 0..<(isSanitized ? 2_000 : 200_000) {
      control.pause()
      control.resume()
    }
    #expect(bag.count == 1)
    gate.open()
    while calls.all.count < 2 { await Task.yield() }
    control.cancel()
    await bag.cancelAndWait()
    #expect(calls.all == [0, 0])
  }

  /// Holds its own control, and is captured by its handler.
  private final class Screen: Sendable {
    let control = Mutex<LiveControl?>(nil)
    let gone: @Sendable () -> Void
    init(_ gone: @escaping @Sendable () -> Void) { self.gone = gone }
    deinit { gone() }
  }

  /// How the calls of a handler end.
  enum Ending: CaseIterable, Sendable { case cancelled, transforms, bagInPause, droppedInPause }

  @Test(
    "S16, O6: however the calls end, what handler and transforms capture is let go of",
    arguments: Ending.allCases)
  func released(_ ending: Ending) async {
    await exploreContract(seeds: 500, allowing: [.noChoice]) {
      let (worker, bag, gone) = (Worker(), TaskBag(), Log<Bool>())
      var kept: LiveControl?
      do {
        let screen = Screen { gone.append(true) }
        let control =
          if case .transforms = ending {
            worker.watch.map { _ in withExtendedLifetime(screen) { 1 } }.live(in: bag) { _ in }
          } else {
            worker.watch.live(in: bag) { _ in withExtendedLifetime(screen) {} }
          }
        kept = control
        await Task.yield()
        if ending != .cancelled { control.pause() }
        switch ending {
        case .cancelled:
          screen.control.withLock { $0 = control }
          control.cancel()
        case .transforms:
          control.resume()
          await Task.yield()
          control.cancel()
        case .bagInPause:
          bag.cancel()
          control.resume()
        case .droppedInPause: kept = nil
        }
      }
      await untilIdle()
      try hold(gone.all == [true] && bag.isEmpty, "something is left")
      withExtendedLifetime(kept) {}
    }
  }

  private final class Cell: Sendable {}

  @Test("S16: what handlers of gone objects capture does not wait for the next value")
  @MainActor func objectsGone() async {
    for policy in [nil, AsyncStream<Worker.State>.Continuation.BufferingPolicy.bufferingNewest(1)] {
      let (worker, bag, gone) = (Worker(), TaskBag(), Log<Bool>())
      let states = policy.map { worker.watch(buffering: $0) } ?? worker.watch
      for _ in 0..<100 {
        let screen = Screen { gone.append(true) }
        let cell = Cell()
        states.live(with: cell, in: bag) { _, _ in withExtendedLifetime(screen) {} }
      }
      while gone.all.count < 97 { await Task.yield() }
      bag.cancel()
      while gone.all.count < 100 { await Task.yield() }
    }
  }

  @Test("O6: a handler of an object that is there goes on, however many others come and go")
  @MainActor func objectsThere() async {
    let (worker, bag, cell, seen) = (Worker(), TaskBag(), Cell(), Log<Int>())
    worker.watch.live(with: cell, in: bag) { _, state in seen.append(state.done.count) }
    for id in 0..<100 {
      worker.watch.live(with: Cell(), in: bag) { _, _ in }
      worker.watch.live(with: cell, in: bag) { _, _ in }.cancel()
      await worker.commit(id)
    }
    while seen.all.last != 100 { await Task.yield() }
    bag.cancel()
  }

  @Test("S13: cancelAndWait() waits for a handler, also for one from before a pause")
  func waitsForHandlers() async {
    await exploreContract(seeds: 500, allowing: [.noChoice]) {
      let (worker, bag, gate, ended) = (Worker(), TaskBag(), Gate(), Log<Bool>())
      let control = worker.watch.live(in: bag) { _ in
        await gate.wait()
        ended.append(true)
      }
      await untilIdle()
      control.pause()
      control.resume()
      async let cancelled: Void = bag.cancelAndWait()
      await untilIdle()
      gate.open()
      await cancelled
      try hold(ended.all == [true], "\(ended.all)")
    }
  }

  @Test("S14: a sequence's error ends the calls")
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

  @Test("O6: what is current when live is called comes first, however late the handler starts")
  @MainActor func firstAtOnce() async {
    let (worker, seen) = (Worker(), Log<Int>())
    worker.watch.map(\.done.count).live(in: worker.bag) { seen.append($0) }
    // The main actor, on which the handler runs, is not free before the loop below.
    let committed = Mutex(false)
    Task.detached {
      await worker.commit(1)
      committed.withLock { $0 = true }
    }
    while !committed.withLock({ $0 }) {}
    while seen.all.last != 1 { await Task.yield() }
    #expect(seen.all == [0, 1])
  }

  @Test("O6: a handler of watch(buffering:) hears every state, in order")
  func buffering() async {
    let (worker, seen, bag) = (Worker(), Log<Int>(), TaskBag())
    worker.watch(buffering: .unbounded).map(\.done.count).live(in: bag) { seen.append($0) }
    for id in 0..<10_000 { await worker.commit(id) }
    while seen.all.count < 10_001 { await Task.yield() }
    let isComplete = seen.all == Array(0...10_000)
    #expect(isComplete)
    let control = worker.watch(buffering: .unbounded).map(\.done.count).live(in: bag) {
      seen.append(-$0)
    }
    while !seen.all.contains(-10_000) { await Task.yield() }
    control.pause()
    await worker.commit(1)
    control.resume()
    while !seen.all.contains(-10_001) { await Task.yield() }
    // One that its control has cancelled would not be waited for.
    await bag.cancelAndWait()
    #expect(LifetimeProbe(worker).registeredObservers == 0)
  }

  private enum Name { @TaskLocal static var current = "none" }

  @Test("F3: a handler sees the task-local values of whoever registered it, or resumed it")
  func locals() async {
    await exploreContract(seeds: 300) {
      let (worker, seen) = (Worker(), Log<String>())
      let control = Name.$current.withValue("alice") {
        worker.watch.live(in: worker.bag) { _ in seen.append(Name.current) }
      }
      await untilIdle()
      await Name.$current.withValue("carol") { await worker.commit(1) }
      await untilIdle()
      control.pause()
      await untilIdle()
      Name.$current.withValue("bob") { control.resume() }
      await untilIdle()
      await Name.$current.withValue("carol") { await worker.commit(2) }
      await untilIdle()
      try hold(seen.all == ["alice", "alice", "bob", "bob"], "saw \(seen.all)")
      control.cancel()
    }
  }
}
