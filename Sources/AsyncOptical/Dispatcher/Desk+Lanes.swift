public import AsyncKnot
internal import Synchronization

/// A message in flight: its errand, and the runner that works for it alone once it is suspended.
@usableFromInline
struct Flight: Equatable, Sendable {
  @usableFromInline let errand: Errand
  @usableFromInline let runner: Runner

  @inlinable
  init(by runner: Runner) {
    errand = Errand(for: runner.shared.holder)
    self.runner = runner
  }

  @inlinable
  static func == (left: Flight, right: Flight) -> Bool { left.errand === right.errand }
}

/// Messages with a policy other than `.concurrent`.
extension Desk {
  /// Starts, queues, delays or drops a message, as its policy says; returns when a started one has
  /// ended.
  // Inlined, like `handle`: each async function in between costs one look-up of the executors.
  @inlinable @inline(__always)
  func admit(
    _ parcel: Parcel, under policy: DispatchPolicy, by runner: Runner, on holder: isolated Holder
  ) async {
    guard let lane = policy.lane else { return }
    let flight = Flight(by: runner)
    switch admit(parcel, to: lane, under: policy, as: flight, on: holder) {
    case .start(let superseded):
      superseded?.runner.cancel()
      await carryOut(parcel, as: flight, in: lane, on: holder)
    case .wait, .drop: break
    }
  }

  @inlinable
  func admit(
    _ parcel: Parcel, to lane: Lane, under policy: DispatchPolicy, as flight: Flight,
    on holder: isolated Holder
  ) -> Lanes<Parcel, Flight>.Admission {
    policy.checkInterval()
    let now = lane.kind.isTimed ? now(of: holder) : .zero
    let admission = unsafe lanes.admit(
      parcel, to: lane, as: flight, now: now, interval: policy.interval,
      urgency: flight.runner.priority.rawValue)
    if case .wait = admission { countWaiting() }
    if lane.kind.isTimed { setTimer(for: lane, on: holder) }
    return admission
  }

  /// Tells others how many messages wait; where the bound lets the newest one in, drops the oldest.
  @usableFromInline
  func countWaiting() {
    if case .newest(let limit) = mailbox.policy,
      unsafe mailbox.queuedCount + lanes.waitingCount > limit,
      let dropped = unsafe lanes.dropOldest()
    {
      self.dropped.add(1, ordering: .relaxed)
      withExtendedLifetime(dropped) {}
    }
    unsafe waiting.store(lanes.waitingCount, ordering: .releasing)
  }

  /// Starts the next message of a lane, if one is due.
  @inlinable @inline(__always)
  func startNext(
    in lane: Lane, isFailed: Bool, by runner: Runner, on holder: isolated Holder
  ) async {
    let flight = Flight(by: runner)
    guard let next = startNext(in: lane, isFailed: isFailed, as: flight, on: holder) else { return }
    next.superseded?.runner.cancel()
    await carryOut(next.message, as: flight, in: lane, on: holder)
  }

  @usableFromInline
  func startNext(
    in lane: Lane, isFailed: Bool, as flight: Flight, on holder: isolated Holder
  ) -> (message: Parcel, superseded: Flight?)? {
    let now = lane.kind.isTimed ? now(of: holder) : .zero
    let next = unsafe lanes.startNext(in: lane, as: flight, now: now, isFailed: isFailed)
    unsafe waiting.store(lanes.waitingCount, ordering: .releasing)
    if lane.kind.isTimed { setTimer(for: lane, on: holder) }
    return next
  }

  /// Carries out a message; then the next one of the lane is due, if one waits.
  @inlinable @inline(__always)
  func carryOut(
    _ parcel: Parcel, as flight: Flight, in lane: Lane, on holder: isolated Holder
  ) async {
    flight.runner.begin(flight.errand)
    await Errand.local.withValue(flight.errand) {
      await holder.carryOut(dispatched: parcel.message)
    }
    flight.runner.end()
    parcel.receipt?.resolve(flight.errand)
    finish(flight, in: lane, on: holder)
  }

  @inlinable
  func finish(_ flight: Flight, in lane: Lane, on holder: isolated Holder) {
    let now = lane.kind.isTimed ? now(of: holder) : .zero
    if let urgency = unsafe lanes.finish(flight, in: lane, now: now) {
      post(.due(lane, isFailed: false), to: holder, urgency: urgency)
    }
    if lane.kind.isTimed { setTimer(for: lane, on: holder) }
  }

  /// Cancels the messages with an id, whatever their policy: those in flight and those that wait.
  @usableFromInline
  func cancel(_ id: any Hashable & Sendable, on holder: isolated Holder) {
    for kind in Lane.Kind.allCases {
      let cancelled = unsafe lanes.cancel(Lane(kind, id))
      cancelled?.timer?.entry?.cancel()
      cancelled?.inFlight?.runner.cancel()
    }
    unsafe waiting.store(lanes.waitingCount, ordering: .releasing)
  }

  // Starts a timer for a lane's deadline, unless one sleeps that wakes up early enough.
  //
  // It holds the clock, and the holder only weakly. What it wakes is decided on the holder.
  @usableFromInline
  func setTimer(for lane: Lane, on holder: isolated Holder) {
    guard let known = unsafe lanes.occupied[lane], let deadline = known.deadline else { return }
    if let timer = known.timer, timer.deadline <= deadline, timer.urgency >= known.urgency {
      return
    }
    known.timer?.entry?.cancel()
    let (sleep, urgency) = (timeline(of: holder).sleep, known.urgency)
    let entry = timers.addApart(priority: TaskPriority(rawValue: urgency)) { [weak holder] in
      var isFailed = false
      do { try await sleep(deadline) } catch { isFailed = true }
      guard !Task.isCancelled, let holder else { return }
      holder.desk.post(.due(lane, isFailed: isFailed), to: holder, urgency: urgency)
    }
    unsafe lanes.occupied[lane]?.timer = LaneTimer(
      deadline: deadline, urgency: urgency, entry: entry)
  }
}
