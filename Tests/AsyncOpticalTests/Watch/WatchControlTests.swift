import AsyncKnotTesting
import AsyncOptical
import Synchronization
import TestSupport
import Testing

/// Controls that are used from everywhere at once.
@Suite(.timeLimit(.minutes(5))) struct WatchControlTests {
  /// Counts how many handlers are at work, and whether one begins when none should.
  private actor Ground {
    private(set) var overlaps = 0
    private(set) var late = 0
    private(set) var calls = 0
    private var inside = 0
    private var mayCall = true

    func watch(_ worker: Worker) -> WatchControl {
      worker.watch.live { _ in await self.enter() }
    }

    private func enter() async {
      if !mayCall { late += 1 }
      calls += 1
      inside += 1
      if inside > 1 { overlaps += 1 }
      await Task.yield()
      inside -= 1
    }

    func pause(_ control: WatchControl) {
      control.unsubscribe()
      mayCall = false
    }

    func resume(_ control: WatchControl) {
      mayCall = true
      control.subscribe()
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
              control.unsubscribe()
              control.subscribe()
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
      let control = worker.watch.live { seen.append($0.done.count) }
      control.unsubscribe()
      await withDiscardingTaskGroup { group in
        group.addTask { control.subscribe() }
        group.addTask {
          for id in 0..<2 {
            control.subscribe()
            await worker.commit(id)
            await Task.yield()
            control.unsubscribe()
          }
        }
      }
      await untilIdle()
      let all = seen.all
      try hold(all == all.sorted(), "\(all)")
      control.cancel()
    }
  }

  @Test("O11: no handler begins after unsubscribe() has returned on its isolation")
  func nothingLate() async {
    await exploreContract {
      let (worker, ground) = (Worker(), Ground())
      let control = await ground.watch(worker)
      control.unsubscribe()
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
        for _ in 0..<round % 5 { control.subscribe() }
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

  @Test("O6: 200,000 pauses while a handler is stuck leave one task")
  func storm() async {
    let (worker, gate, bag, calls) = (Worker(), Gate(), TaskBag(), Log<Int>())
    let control = worker.watch.map(\.done.count).live(in: bag) { count in
      calls.append(count)
      await gate.wait()
    }
    while calls.all.isEmpty { await Task.yield() }
    for _ in 0..<(isSanitized ? 2_000 : 200_000) {
      control.unsubscribe()
      control.subscribe()
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
    let control = Mutex<WatchControl?>(nil)
    let gone: @Sendable () -> Void
    init(_ gone: @escaping @Sendable () -> Void) { self.gone = gone }
    deinit { gone() }
  }

  @Test("S16: cancel() lets go of what the handler captures, though the control is kept")
  func released() async {
    await exploreContract(seeds: 500) {
      let worker = Worker()
      let gone = Log<Bool>()
      do {
        let screen = Screen { gone.append(true) }
        let control = worker.watch.live { _ in withExtendedLifetime(screen) {} }
        screen.control.withLock { $0 = control }
        await Task.yield()
        control.cancel()
      }
      await untilIdle()
      try hold(gone.all == [true], "the screen leaks")
    }
  }

  @Test("S16: what handlers of gone objects capture does not wait for the next value")
  func objectsGone() async {
    await exploreContract(seeds: 50) {
      final class Cell: Sendable {}
      let worker = Worker()
      let gone = Log<Bool>()
      for _ in 0..<100 {
        let screen = Screen { gone.append(true) }
        let cell = Cell()
        worker.watch.live(with: cell) { _, _ in withExtendedLifetime(screen) {} }
        await untilIdle()
      }
      try hold(gone.all.count >= 97, "only \(gone.all.count) of 100 captures are released")
    }
  }

  @Test("S16: an object that holds a state takes its handlers with it")
  func holderGone() async {
    // An optimised build leaves no hop in which another task could run.
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let worker = Worker()
      let gone = Log<Bool>()
      do {
        let other = Worker()
        let screen = Screen { gone.append(true) }
        worker.watch.live(with: other) { _, _ in withExtendedLifetime(screen) {} }
        await untilIdle()
      }
      await untilIdle()
      try hold(gone.all == [true], "the screen leaks")
      try hold(LifetimeProbe(worker).registeredObservers == 0, "something is registered")
    }
  }

  @Test("O6: a control that is dropped in a pause leaves nothing")
  func droppedInPause() async {
    await exploreContract(seeds: 500) {
      let (worker, bag, gone) = (Worker(), TaskBag(), Log<Bool>())
      do {
        let screen = Screen { gone.append(true) }
        let control = worker.watch.live(in: bag) { _ in withExtendedLifetime(screen) {} }
        await Task.yield()
        control.unsubscribe()
      }
      await untilIdle()
      try hold(gone.all == [true] && bag.isEmpty, "something is left")
    }
  }

  @Test("O6: removeDuplicates delivers a value only where it differs from the one before")
  func removesDuplicates() async {
    await exploreContract(seeds: 300) {
      let (worker, seen) = (Worker(), Log<Bool>())
      worker.watch.map { $0.done.count > 1 }.removeDuplicates().live { seen.append($0) }
      for id in 0..<4 {
        await untilIdle()
        await worker.commit(id)
      }
      await untilIdle()
      try hold(seen.all == [false, true], "saw \(seen.all)")
    }
  }

  @Test("O6: a handler of watch(buffering:) hears every state, in order")
  func buffering() async {
    let (worker, seen, bag) = (Worker(), Log<Int>(), TaskBag())
    worker.watch(buffering: .unbounded).map(\.done.count).live(in: bag) { seen.append($0) }
    for id in 0..<10_000 { await worker.commit(id) }
    while seen.all.count < 10_001 { await Task.yield() }
    let isComplete = seen.all == Array(0...10_000)
    #expect(isComplete)
    let control = worker.watch(buffering: .unbounded).map(\.done.count).live { seen.append(-$0) }
    while !seen.all.contains(-10_000) { await Task.yield() }
    control.unsubscribe()
    await worker.commit(1)
    control.subscribe()
    while !seen.all.contains(-10_001) { await Task.yield() }
    control.cancel()
    await bag.cancelAndWait()
    #expect(LifetimeProbe(worker).registeredObservers == 0)
  }

  private enum Name { @TaskLocal static var current = "none" }

  @Test("F3: a handler sees the task-local values of whoever registered it, after a pause too")
  func locals() async {
    await exploreContract(seeds: 300) {
      let (worker, seen) = (Worker(), Log<String>())
      let control = Name.$current.withValue("alice") {
        worker.watch.live { _ in seen.append(Name.current) }
      }
      await untilIdle()
      await Name.$current.withValue("bob") {
        control.unsubscribe()
        await worker.commit(1)
        control.subscribe()
      }
      await untilIdle()
      try hold(seen.all == ["alice", "alice"], "saw \(seen.all)")
      control.cancel()
    }
  }
}
