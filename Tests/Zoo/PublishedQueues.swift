import Synchronization

// Models of bugs in published semaphores, channels, subjects and queues.

extension Animal {
  static let queues = [
    // groue/Semaphore 2543679.
    Animal(name: "signal takes a waiter that is cancelled before it runs") { isBroken in
      let semaphore = CountedSemaphore(isBroken ? .leavesTheWaiterToCancel : nil, permits: 0)
      let waiting = Task { await semaphore.wait() }
      await settle()
      let signalling = Task {
        semaphore.signal()
        waiting.cancel()
      }
      _ = await waiting.value
      await signalling.value
      return semaphore.misuses.value == 0
    },
    // SwiftyLab/AsyncObjects 8fa6219.
    Animal(name: "cancelled waiter gives its permit back twice", switches: 2) { isBroken in
      let semaphore = CountedSemaphore(isBroken ? .givesBackTwice : nil, permits: 1)
      let holder = Task { if await semaphore.wait() { semaphore.signal() } }
      let waiting = Task { if await semaphore.wait() { semaphore.signal() } }
      waiting.cancel()
      await holder.value
      await waiting.value
      await settle()
      return semaphore.permits == 1
    },
    // Also SwiftyLab/AsyncObjects 8fa6219.
    Animal(name: "waiter that is cancelled before it is registered leaks a permit") {
      isBroken in
      let semaphore = CountedSemaphore(isBroken ? .takesAlong : nil, permits: 1)
      let waiting = Task { if await semaphore.wait() { semaphore.signal() } }
      let cancelling = Task { waiting.cancel() }
      await waiting.value
      await cancelling.value
      await settle()
      return semaphore.permits == 1
    },
    // gh123man/Async-Channels 0fed3c0.
    Animal(name: "second select takes the place of the first") { isBroken in
      let channel = SelectChannel(isBroken: isBroken)
      let selects = (0..<2).map { _ in Task { await channel.select() } }
      let sending = Task { for _ in 0..<2 { channel.send() } }
      await settle()
      let ended = channel.ended.value
      channel.release()
      for select in selects { await select.value }
      await sending.value
      return ended == 2
    },
    // AsyncSwiftKits/AsyncChannelKit 9d48113.
    Animal(name: "send is cancelled before it waits") { isBroken in
      let channel = RendezvousChannel(isBroken: isBroken)
      let sending = Task { await channel.send() }
      let cancelling = Task { sending.cancel() }
      await settle()
      let isOver = channel.ended.value == 1
      channel.release()
      await sending.value
      await cancelling.value
      return isOver
    },
    // sideeffect-io/AsyncExtensions, fixed by its pull request 40.
    Animal(name: "value arrives between the first one and the registration") { isBroken in
      let subject = ValueSubject(isBroken: isBroken)
      let reading = Task { subject.subscribe() }
      let sending = Task { subject.send(2) }
      let got = await reading.value
      await sending.value
      return got.values.last == 2
    },
    // swift-build 04f2f71f^, AsyncOperationQueue.
    Animal(name: "operation starts between the end of one and the start of the next") { isBroken in
      let queue = OperationQueue(isBroken: isBroken)
      let tasks = (0..<3).map { _ in Task { await queue.run() } }
      for task in tasks { await task.value }
      return await queue.most == 1
    },
  ]
}

/// A semaphore with waits that can be cancelled.
private final class CountedSemaphore: Sendable {
  enum Fault { case leavesTheWaiterToCancel, givesBackTwice, takesAlong }
  private struct State {
    var permits: Int
    var lastID = 0
    var waiters: [(id: Int, waiter: Waiter<Bool>)] = []
    var signalled: [Int: Waiter<Bool>] = [:]
    var cancelled: Set<Int> = []
  }

  private let fault: Fault?
  private let state: Guarded<State>
  let misuses = Tally()
  init(_ fault: Fault?, permits: Int) {
    self.fault = fault
    state = Guarded(State(permits: permits))
  }

  var permits: Int { state.with { $0.permits } }

  /// Returns whether the caller got a permit.
  func wait() async -> Bool {
    let (id, isFree) = state.with { state in
      state.lastID += 1
      if state.permits > 0 {
        state.permits -= 1
        return (state.lastID, true)
      }
      return (state.lastID, false)
    }
    if isFree {
      guard Task.isCancelled, fault == .takesAlong else { return true }
      // The bug: this wait has taken a permit that nobody returns.
      return false
    }
    let isSignal = await withTaskCancellationHandler {
      await parked { (waiter: Waiter<Bool>) in
        let answer = state.with { state -> Bool? in
          if state.cancelled.contains(id) { return false }
          if state.permits > 0 {
            state.permits -= 1
            return true
          }
          state.waiters.append((id, waiter))
          return nil
        }
        if let answer { waiter.resume(returning: answer) }
      }
    } onCancel: {
      cancel(id)
    }
    if isSignal, Task.isCancelled, fault == .givesBackTwice { signal() }
    return isSignal
  }

  private func cancel(_ id: Int) {
    let waiter = state.with { state -> Waiter<Bool>? in
      state.cancelled.insert(id)
      if let index = state.waiters.firstIndex(where: { $0.id == id }) {
        return state.waiters.remove(at: index).waiter
      }
      return fault == .leavesTheWaiterToCancel ? state.signalled[id] : nil
    }
    if waiter?.resume(returning: false) == false { misuses.add() }
  }

  func signal() {
    let waiter = state.with { state -> Waiter<Bool>? in
      guard !state.waiters.isEmpty else {
        state.permits += 1
        return nil
      }
      let (id, waiter) = state.waiters.removeFirst()
      state.signalled[id] = waiter
      return waiter
    }
    waiter?.resume(returning: true)
  }
}

private final class SelectChannel: Sendable {
  private let isBroken: Bool
  private let state = Guarded((elements: 0, waiters: [Waiter<Void>](), all: [Waiter<Void>]()))
  let ended = Tally()
  init(isBroken: Bool) { self.isBroken = isBroken }

  func select() async {
    await parked { (waiter: Waiter<Void>) in
      let isReady = state.with { state in
        if state.elements > 0 {
          state.elements -= 1
          return true
        }
        if isBroken { state.waiters = [waiter] } else { state.waiters.append(waiter) }
        state.all.append(waiter)
        return false
      }
      if isReady { waiter.resume() }
    }
    ended.add()
  }

  func send() {
    state.with { state -> Waiter<Void>? in
      if state.waiters.isEmpty {
        state.elements += 1
        return nil
      }
      return state.waiters.removeFirst()
    }?.resume()
  }

  func release() {
    for waiter in state.with({ $0.all }) { waiter.resume() }
  }
}

private final class RendezvousChannel: Sendable {
  private let isBroken: Bool
  private let state = Guarded((isCancelled: false, waiter: Waiter<Void>?.none))
  let ended = Tally()
  init(isBroken: Bool) { self.isBroken = isBroken }

  func send() async {
    await withTaskCancellationHandler {
      await parked { (waiter: Waiter<Void>) in
        let isLate = state.with { state in
          if !isBroken, state.isCancelled { return true }
          state.waiter = waiter
          return false
        }
        if isLate { waiter.resume() }
      }
    } onCancel: {
      state.with { state in
        state.isCancelled = true
        return state.waiter.take()
      }?.resume()
    }
    ended.add()
  }

  func release() { state.with { $0.waiter.take() }?.resume() }
}

private final class ValueSubject: Sendable {
  final class Reader: Sendable {
    private let got: Mutex<[Int]>
    init(_ first: [Int]) { got = Mutex(first) }
    var values: [Int] { got.withLock { $0 } }
    func take(_ value: Int) { got.withLock { $0.append(value) } }
  }

  private let isBroken: Bool
  private let state = Guarded((value: 1, readers: [Reader]()))
  init(isBroken: Bool) { self.isBroken = isBroken }

  func subscribe() -> Reader {
    if isBroken {
      let reader = Reader([state.with { $0.value }])
      state.with { $0.readers.append(reader) }
      return reader
    }
    return state.with { state in
      let reader = Reader([state.value])
      state.readers.append(reader)
      return reader
    }
  }

  func send(_ value: Int) {
    let readers = state.with { state in
      state.value = value
      return state.readers
    }
    for reader in readers { reader.take(value) }
  }
}

private actor OperationQueue {
  private let isBroken: Bool
  private var running = 0
  private var waiting: [Waiter<Void>] = []
  private(set) var most = 0
  init(isBroken: Bool) { self.isBroken = isBroken }

  func run() async {
    if running > 0 {
      await parked { (waiter: Waiter<Void>) in waiting.append(waiter) }
      // In the repaired queue, the operation that ended has handed its place to the next one, so the count stays the same.
      if isBroken { running += 1 }
    } else {
      running += 1
    }
    most = max(most, running)
    await Task.detached { await Task.yield() }.value
    if isBroken || waiting.isEmpty { running -= 1 }
    if !waiting.isEmpty { waiting.removeFirst().resume() }
  }
}
