public import AsyncKnot
public import Synchronization

/// Messages with a policy other than `.concurrent`.
extension Desk {
  /// Does with a message what its policy says.
  // Inlined, like `handle`: each async function on the way costs a look at the executors.
  @inlinable @inline(__always)
  func admit(
    _ message: Holder.Dispatched, under policy: DispatchPolicy, by runner: Runner,
    on holder: isolated Holder
  ) async {
    guard let lane = policy.lane else { return }
    if let number = lanes.withLock({ $0.startAlone(in: lane, as: runner) }) {
      return await carryOut(message, by: runner, number, in: lane, on: holder)
    }
    let interval = policy.interval
    let now = lane.kind.isTimed ? timeline(of: holder).now() : .zero
    let (admission, number, dropped) = lanes.withLock {
      $0.admit(
        message, to: lane, now: now, interval: interval, urgency: runner.priority.rawValue,
        as: runner)
    }
    withExtendedLifetime(dropped) {}
    switch admission {
    case .start(let superseded):
      superseded?.cancel()
      await carryOut(message, by: runner, number, in: lane, on: holder)
    case .startWithTimer(let deadline):
      startTimer(for: lane, until: deadline, on: holder)
      await carryOut(message, by: runner, number, in: lane, on: holder)
    case .delay(let deadline):
      if let deadline { startTimer(for: lane, until: deadline, on: holder) }
    case .wait, .drop: break
    }
  }

  /// Starts a message that has waited.
  @inlinable
  func start(
    _ message: Holder.Dispatched, in lane: Lane, by runner: Runner, on holder: isolated Holder
  ) async {
    let (superseded, number) = lanes.withLock { $0.start(in: lane, as: runner) }
    superseded?.cancel()
    await carryOut(message, by: runner, number, in: lane, on: holder)
  }

  @inlinable @inline(__always)
  func carryOut(
    _ message: Holder.Dispatched, by runner: Runner, _ number: Int, in lane: Lane,
    on holder: isolated Holder
  ) async {
    runner.begin(number)
    await Dispatch.local.withValue(Dispatch(runner: runner, number: number)) {
      await holder.carryOut(dispatched: message)
    }
    runner.end()
    if lanes.withLock({ $0.finishAlone(number) }) { return }
    if let next = lanes.withLock({ $0.finish(number, in: lane) }) {
      post(.due(next, lane), to: holder)
    }
  }

  /// Cancels everything with an id: what is in flight, and what waits for its turn or for quiet.
  @usableFromInline
  func cancel(_ id: any Hashable & Sendable, on holder: isolated Holder) {
    for kind in Lane.Kind.allCases {
      let lane = Lane(kind, id)
      let cancelled = lanes.withLock { $0.cancel(lane) }
      cancelled.inFlight?.cancel()
      timers.cancel(lane)
    }
  }
}
