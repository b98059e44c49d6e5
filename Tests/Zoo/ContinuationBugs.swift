import Synchronization

// Bugs with continuations and hand-made synchronization.

extension Animal {
  static let continuations = [
    Animal(name: "event resumed before anybody waits") { isBroken in
      let gate = Gate(isBroken: isBroken)
      let waiter = Task { await gate.wait() }
      let opener = Task { await gate.open() }
      await opener.value
      let isOver = await settled()
      let result = isOver ? await gate.passed == 1 : false
      await gate.release()
      await waiter.value
      return result
    },
    Animal(name: "flag checked outside the lock") { isBroken in
      let once = Once()
      let run: @Sendable () async -> Void = {
        if isBroken {
          if !once.hasRun { await Task.yield(); once.run() }
        } else {
          once.runOnce()
        }
      }
      await both(run, run)
      return once.count == 1
    },
    Animal(name: "cancelled waiter swallows the signal") { isBroken in
      let semaphore = Semaphore(isBroken: isBroken)
      let first = Task { await semaphore.wait() }
      let second = Task { await semaphore.wait() }
      first.cancel()
      _ = await settled()
      await semaphore.signal()
      _ = await settled()
      let result = await semaphore.woken.contains { !$0 }
      await semaphore.release()
      await first.value
      await second.value
      return result
    },
    Animal(name: "completion called while still being set up") { isBroken in
      let work = Work(isBroken: isBroken)
      await both({ await work.start() }, { await work.complete() })
      return await !work.isStuck
    },
    Animal(name: "task is still stored after it has ended") { isBroken in
      let download = Download(isBroken: isBroken)
      download.start()
      _ = await settled()
      return !download.isRunning
    },
    Animal(name: "waiter is resumed before the value that it reads is set") { isBroken in
      let answer = Answer(isBroken: isBroken)
      let reader = Task { await answer.value() }
      _ = await settled()
      answer.give(42)
      return await reader.value == 42
    },
  ]
}

/// Sleeps for a second, during which the other tasks run as far as they can.
private func settled() async -> Bool {
  try? await Task.sleep(for: .seconds(1))
  return true
}

private actor Gate {
  private let isBroken: Bool
  private var isOpen = false
  private var waiter: CheckedContinuation<Void, Never>?
  private(set) var passed = 0
  init(isBroken: Bool) { self.isBroken = isBroken }
  func wait() async {
    if !isBroken, isOpen {
      passed += 1
      return
    }
    await withCheckedContinuation { waiter = $0 }
    passed += 1
  }
  func open() {
    isOpen = true
    release()
  }
  func release() {
    waiter?.resume()
    waiter = nil
  }
}

private final class Once: Sendable {
  private let runs = Mutex(0)
  var hasRun: Bool { runs.withLock { $0 > 0 } }
  var count: Int { runs.withLock { $0 } }
  func run() { runs.withLock { $0 += 1 } }
  func runOnce() { runs.withLock { if $0 == 0 { $0 = 1 } } }
}

private final class Download: Sendable {
  private let isBroken: Bool
  private let task = Mutex<Task<Void, Never>?>(nil)
  init(isBroken: Bool) { self.isBroken = isBroken }
  var isRunning: Bool { task.withLock { $0 != nil } }
  func start() {
    if isBroken {
      let started = Task { self.task.withLock { $0 = nil } }
      task.withLock { $0 = started }
    } else {
      task.withLock { task in task = Task { self.task.withLock { $0 = nil } } }
    }
  }
}

private final class Answer: Sendable {
  private let isBroken: Bool
  private let state = Mutex((value: 0, waiter: CheckedContinuation<Void, Never>?.none))
  init(isBroken: Bool) { self.isBroken = isBroken }
  func value() async -> Int {
    await withCheckedContinuation { waiter in state.withLock { $0.waiter = waiter } }
    return state.withLock { $0.value }
  }
  func give(_ value: Int) {
    if !isBroken { state.withLock { $0.value = value } }
    state.withLock { $0.waiter.take() }?.resume()
    state.withLock { $0.value = value }
  }
}

private actor Semaphore {
  private let isBroken: Bool
  private var waiters: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  private var lastID = 0
  private var cancelled: Set<Int> = []
  /// For each waiter that a signal resumed, whether its task was cancelled.
  private(set) var woken: [Bool] = []
  init(isBroken: Bool) { self.isBroken = isBroken }
  func wait() async {
    lastID += 1
    let id = lastID
    let isSignal = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if !isBroken, Task.isCancelled {
          continuation.resume(returning: false)
        } else {
          waiters.append((id, continuation))
        }
      }
    } onCancel: {
      Task { await self.cancel(id) }
    }
    if isSignal { woken.append(Task.isCancelled) }
  }
  private func cancel(_ id: Int) {
    guard !isBroken, let index = waiters.firstIndex(where: { $0.id == id }) else { return }
    waiters.remove(at: index).continuation.resume(returning: false)
  }
  func signal() {
    if !waiters.isEmpty { waiters.removeFirst().continuation.resume(returning: true) }
  }
  func release() {
    for waiter in waiters { waiter.continuation.resume(returning: false) }
    waiters = []
  }
}

private actor Work {
  private let isBroken: Bool
  private var isRunning = false
  private var isComplete = false
  init(isBroken: Bool) { self.isBroken = isBroken }
  var isStuck: Bool { isRunning && isComplete }
  func start() async {
    if !isBroken, isComplete { return }
    await Task.yield()
    isRunning = isBroken ? true : !isComplete
  }
  func complete() {
    isComplete = true
    isRunning = false
  }
}
