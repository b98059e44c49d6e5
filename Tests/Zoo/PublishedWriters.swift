import Foundation

// Models of bugs in published writers and broadcasts.

extension Animal {
  static let writers = [
    // swift-nio 6fb31ea68^, fixed by #3044.
    Animal(name: "write is retried while another one is delivered, after the end", switches: 2) {
      isBroken in
      let writer = BackpressuredWriter(isBroken ? .parksNothingAfterTheEnd : nil)
      let writes = [1, 2].map { n in Task { await writer.write(n) } }
      let switching = Task {
        writer.setWritable(false)
        await Task.yield()
        writer.setWritable(true)
      }
      let finishing = Task { writer.finish() }
      await settle()
      let isMisused = writer.isMisused
      writer.release()
      for task in writes { _ = await task.value }
      await switching.value
      await finishing.value
      return !isMisused
    },
    // swift-nio d2feeaa36^, fixed by #3453.
    Animal(name: "write is cancelled between two checks of the state") { isBroken in
      let writer = TwoLooks(isBroken: isBroken)
      let write = Task { await writer.write() }
      let cancelling = Task { write.cancel() }
      await settle()
      let isOver = writer.ended.value == 1
      writer.release()
      await write.value
      await cancelling.value
      return isOver
    },
    // swift-nio 63018571c, NIOAsyncWriter.
    Animal(name: "last write of a finished writer is cancelled") { isBroken in
      let writer = BackpressuredWriter(isBroken ? .forgetsTheEnd : nil, isWritable: false)
      let write = Task { await writer.write(1) }
      let finishing = Task { writer.finish() }
      let cancelling = Task { write.cancel() }
      await settle()
      writer.setWritable(true)
      await settle()
      let ends = writer.ends
      writer.release()
      _ = await write.value
      await finishing.value
      await cancelling.value
      return ends == 1
    },
    // swift-nio 63018571c, NIOThrowingAsyncSequenceProducer.
    Animal(name: "reader is cancelled before the first element") { isBroken in
      let source = DemandedSource(isBroken: isBroken)
      let reader = Task { await source.next() }
      let cancelling = Task { reader.cancel() }
      _ = await reader.value
      await cancelling.value
      return source.ends == 1
    },
    // grpc-swift-2 ac33066e, BroadcastAsyncSequence: an element arrives when a slow reader is dropped.
    Animal(name: "broadcast drops a slow reader and forgets a waiting one") { isBroken in
      let broadcast = Broadcast(isBroken ? .forgetsTheWaiting : nil)
      let slow = broadcast.subscribe()
      let fast = broadcast.subscribe()
      let reader = Task { await broadcast.readAll(fast) }
      let writer = Task { await broadcast.writeAll(0..<6) }
      await settle()
      let got = broadcast.got(fast)
      broadcast.release()
      await reader.value
      await writer.value
      _ = slow
      return got == Array(0..<6)
    },
    // Also BroadcastAsyncSequence: how a writer waits.
    Animal(name: "broadcast suspends a writer whose readers have caught up") { isBroken in
      let broadcast = Broadcast(isBroken ? .parksBlindly : nil)
      let only = broadcast.subscribe()
      let reader = Task { await broadcast.readAll(only) }
      let writer = Task { await broadcast.writeAll(0..<6) }
      await settle()
      let got = broadcast.got(only)
      broadcast.release()
      await reader.value
      await writer.value
      return got == Array(0..<6)
    },
    // Also BroadcastAsyncSequence: how a reader waits after the end.
    Animal(name: "broadcast ends for a reader that has elements to read") { isBroken in
      let broadcast = Broadcast(isBroken ? .endsEarly : nil)
      let only = broadcast.subscribe()
      let reader = Task { await broadcast.readAll(only) }
      let writer = Task { await broadcast.writeAll(0..<3) }
      await settle()
      let got = broadcast.got(only)
      broadcast.release()
      await reader.value
      await writer.value
      return got == Array(0..<3)
    },
  ]
}

/// A writer that delivers elements while it is writable.
///
/// While the writer is not writable, calls to `write` wait.
private final class BackpressuredWriter: Sendable {
  enum Fault { case parksNothingAfterTheEnd, forgetsTheEnd }
  enum Phase { case open, finishing, finished }
  enum Answer { case retry, refused }
  private enum Look { case deliver, park, refuse }

  private struct State {
    var phase = Phase.open
    var isWritable: Bool
    var isDelivering = false
    var parked: [(id: Int, waiter: Waiter<Answer>)] = []
    /// The writes that were waiting when the writer was finished, which are still delivered.
    var owed: Set<Int> = []
    var cancelled: Set<Int> = []
    var ends = 0
    var isMisused = false

    mutating func endIfDone() {
      guard phase == .finishing, parked.isEmpty, !isDelivering, owed.isEmpty else { return }
      phase = .finished
      ends += 1
    }

    mutating func takeParked() -> [Waiter<Answer>] {
      defer { parked = [] }
      return parked.map(\.waiter)
    }
  }

  private let fault: Fault?
  private let state: Guarded<State>

  init(_ fault: Fault?, isWritable: Bool = true) {
    self.fault = fault
    state = Guarded(State(isWritable: isWritable))
  }

  var ends: Int { state.with { $0.ends } }
  var isMisused: Bool { state.with { $0.isMisused } }

  func write(_ id: Int) async -> Bool {
    while true {
      switch await attempt(id) {
      case .retry?: continue
      case .refused?: return false
      case nil: return true
      }
    }
  }

  /// Delivers the element, or waits.
  ///
  /// Returns `nil` if the element was delivered.
  private func attempt(_ id: Int) async -> Answer? {
    await withTaskCancellationHandler {
      switch state.with({ Self.look(id, &$0) }) {
      case .deliver:
        endDelivery(of: id)
        return nil
      case .refuse: return .refused
      case .park: return await park(id)
      }
    } onCancel: {
      let waiter = state.with { state -> Waiter<Answer>? in
        guard let index = state.parked.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil
        }
        let waiter = state.parked.remove(at: index).waiter
        state.owed.remove(id)
        if fault != .forgetsTheEnd { state.endIfDone() }
        return waiter
      }
      waiter?.resume(returning: .refused)
    }
  }

  private static func look(_ id: Int, _ state: inout State) -> Look {
    if state.phase == .finished { return .refuse }
    if state.phase == .finishing, !state.owed.contains(id) { return .refuse }
    if state.cancelled.remove(id) != nil {
      state.owed.remove(id)
      state.endIfDone()
      return .refuse
    }
    guard state.isWritable, !state.isDelivering else { return .park }
    state.isDelivering = true
    return .deliver
  }

  private func park(_ id: Int) async -> Answer {
    await parked { (waiter: Waiter<Answer>) in
      let answer = state.with { state -> Answer? in
        if state.cancelled.contains(id) || state.phase == .finished { return .retry }
        if state.isWritable, !state.isDelivering { return .retry }
        guard state.phase == .open || fault != .parksNothingAfterTheEnd else {
          // The original traps here.
          state.isMisused = true
          return .refused
        }
        state.parked.append((id, waiter))
        return nil
      }
      if let answer { waiter.resume(returning: answer) }
    }
  }

  private func endDelivery(of id: Int) {
    let waiters = state.with { state -> [Waiter<Answer>] in
      state.isDelivering = false
      state.owed.remove(id)
      state.endIfDone()
      return state.isWritable ? state.takeParked() : []
    }
    for waiter in waiters { waiter.resume(returning: .retry) }
  }

  func setWritable(_ isWritable: Bool) {
    let waiters = state.with { state -> [Waiter<Answer>] in
      state.isWritable = isWritable
      return isWritable && !state.isDelivering ? state.takeParked() : []
    }
    for waiter in waiters { waiter.resume(returning: .retry) }
  }

  func finish() {
    state.with { state in
      guard state.phase == .open else { return }
      state.phase = .finishing
      state.owed = Set(state.parked.map(\.id))
      state.endIfDone()
    }
  }

  /// Refuses all waiting writes.
  func release() {
    for waiter in state.with({ $0.takeParked() }) { waiter.resume(returning: .refused) }
  }
}

/// A writer that checks for cancellation before it creates its continuation, and again when it stores the continuation.
///
/// The broken writer omits the second check.
private final class TwoLooks: Sendable {
  private let isBroken: Bool
  private let state = Guarded((isCancelled: false, waiter: Waiter<Void>?.none))
  let ended = Tally()
  init(isBroken: Bool) { self.isBroken = isBroken }

  func write() async {
    await withTaskCancellationHandler {
      if !state.with({ $0.isCancelled }) {
        await parked { (waiter: Waiter<Void>) in
          let isLate = state.with { state in
            if !isBroken, state.isCancelled { return true }
            state.waiter = waiter
            return false
          }
          if isLate { waiter.resume() }
        }
      }
    } onCancel: {
      state.with { state in
        state.isCancelled = true
        return state.waiter.take()
      }?.resume()
    }
    ended.add()
  }

  func release() { _ = state.with { $0.waiter.take() }?.resume() }
}

/// A source that counts in `ends` how often it notices that its reader has ended.
private final class DemandedSource: Sendable {
  private enum Phase { case initial, waiting(Waiter<Int?>), finished }
  private let isBroken: Bool
  private let state = Guarded((phase: Phase.initial, ends: 0))
  init(isBroken: Bool) { self.isBroken = isBroken }
  var ends: Int { state.with { $0.ends } }

  func next() async -> Int? {
    await withTaskCancellationHandler {
      await parked { (waiter: Waiter<Int?>) in
        let isFinished = state.with { state in
          if case .finished = state.phase { return true }
          state.phase = .waiting(waiter)
          return false
        }
        if isFinished { waiter.resume(returning: nil) }
      }
    } onCancel: {
      let waiter = state.with { state -> Waiter<Int?>? in
        defer { state.phase = .finished }
        switch state.phase {
        case .initial:
          if !isBroken { state.ends += 1 }
          return nil
        case .waiting(let waiter):
          state.ends += 1
          return waiter
        case .finished: return nil
        }
      }
      waiter?.resume(returning: nil)
    }
  }
}
