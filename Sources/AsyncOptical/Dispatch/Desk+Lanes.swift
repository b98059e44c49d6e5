public import AsyncKnot
public import Synchronization

/// Messages with a policy other than `.concurrent`.
extension Desk {
  /// Starts, queues, delays or drops a message, as its policy says; returns when a started one has
  /// ended.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - policy: The message's policy.
  ///   - runner: The runner that handles the message.
  ///   - holder: The actor.
  // Inlined, like `handle`: each async function in between costs one look-up of the executors.
  @inlinable @inline(__always)
  func admit(
    _ message: Holder.Dispatched, under policy: DispatchPolicy, by runner: Runner,
    on holder: isolated Holder
  ) async {
    guard let lane = policy.lane else { return }
    if let number = lanes.withLock({ $0.startAlone(in: lane, as: runner) }) {
      return await carryOut(message, by: runner, number, in: lane, on: holder)
    }
    policy.checkInterval()
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
      startTimer(for: lane, until: deadline, at: runner.priority, on: holder)
      await carryOut(message, by: runner, number, in: lane, on: holder)
    case .delay(let deadline):
      if let deadline { startTimer(for: lane, until: deadline, at: runner.priority, on: holder) }
    case .wait, .drop: break
    }
  }

  /// Starts the next message of a lane, unless it was cancelled.
  @inlinable
  func startNext(in lane: Lane, by runner: Runner, on holder: isolated Holder) async {
    guard let next = lanes.withLock({ $0.startNext(in: lane, as: runner) }) else { return }
    next.superseded?.cancel()
    await carryOut(next.message, by: runner, next.number, in: lane, on: holder)
  }

  /// Carries out a message under its number; then the next message of the lane is due, if one
  /// waits.
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
    switch lanes.withLock({ $0.finish(number, in: lane) }) {
    case .start(let urgency): post(.due(lane), to: holder, urgency: urgency)
    case .resume: resumeTimer(for: lane, on: holder)
    case nil: break
    }
  }

  /// Cancels the messages with an id, whatever their policy: those in flight and those that wait in
  /// a lane.
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
