public import AsyncKnot
internal import Synchronization

/// A message in flight: its errand, and the runner that works for it alone once it is suspended.
@usableFromInline
struct Flight: Equatable, Sendable {
  @usableFromInline let errand: Errand
  let runner: Runner

  @usableFromInline
  init(by runner: Runner, for holder: Int) {
    errand = Errand(for: holder)
    self.runner = runner
  }

  @usableFromInline
  static func == (left: Flight, right: Flight) -> Bool { left.errand === right.errand }
}

extension Desk {
  /// Does what a mail asks for; returns when a message that starts by it has ended.
  // Inlined: each async function in between costs one look-up of the executors.
  @inlinable @inline(__always)
  func handle(_ mail: Mail, by runner: Runner, on holder: isolated Holder) async {
    switch mail {
    case .sent(let parcel):
      let policy = holder.policy(for: parcel.message)
      if case .concurrent = policy {
        await holder.carryOut(dispatched: parcel.message)
        parcel.receipt?.resolve(runner.shared)
      } else if let lane = policy.lane {
        let flight = Flight(by: runner, for: number)
        guard admit(parcel, to: lane, under: policy, as: flight, on: holder) else { return }
        await carryOut(parcel, as: flight, in: lane, on: holder)
      }
    case .due(let lane, let isFailed):
      let flight = Flight(by: runner, for: number)
      guard let next = startNext(in: lane, isFailed: isFailed, as: flight, on: holder) else {
        return
      }
      await carryOut(next, as: flight, in: lane, on: holder)
    case .cancel(let id): cancel(id, on: holder)
    }
  }

  @inlinable @inline(__always)
  func carryOut(
    _ parcel: Parcel, as flight: Flight, in lane: Lane, on holder: isolated Holder
  ) async {
    await Errand.local.withValue(flight.errand) {
      await holder.carryOut(dispatched: parcel.message)
    }
    if let urgency = finish(flight, in: lane, on: holder) {
      post(.due(lane, isFailed: false), to: holder, urgency: urgency)
    }
    parcel.receipt?.resolve(flight.errand)
  }

  @usableFromInline
  func admit(
    _ parcel: Parcel, to lane: Lane, under policy: DispatchPolicy, as flight: Flight,
    on holder: isolated Holder
  ) -> Bool {
    let admission: Admission<Flight>
    if lane.kind.mayWait {
      admission = unsafe lanes.admit(
        Waiting(parcel), to: lane, as: flight, now: now(for: lane, on: holder),
        interval: policy.interval, urgency: flight.runner.priority.rawValue)
      if case .wait = admission { keepToBound() }
      update(lane, on: holder)
    } else {
      admission = unsafe flights.admit(flight, to: lane)
    }
    guard case .start(let superseded) = admission else { return false }
    begin(flight, superseding: superseded)
    return true
  }

  @usableFromInline
  func startNext(
    in lane: Lane, isFailed: Bool, as flight: Flight, on holder: isolated Holder
  ) -> Parcel? {
    let next = unsafe lanes.startNext(
      in: lane, as: flight, now: now(for: lane, on: holder), isFailed: isFailed)
    update(lane, on: holder)
    if let next { begin(flight, superseding: next.superseded) }
    return (next?.message as? Waiting)?.parcel
  }

  private func begin(_ flight: Flight, superseding superseded: Flight?) {
    superseded?.runner.cancel()
    flight.runner.begin(flight.errand)
  }

  /// Ends a message; returns the urgency of the lane's next one, if that is due.
  @usableFromInline
  func finish(_ flight: Flight, in lane: Lane, on holder: isolated Holder) -> UInt8? {
    flight.runner.end()
    guard lane.kind.mayWait else {
      unsafe flights.finish(flight, in: lane)
      return nil
    }
    defer { update(lane, on: holder) }
    return unsafe lanes.finish(flight, in: lane, now: now(for: lane, on: holder))
  }

  /// Cancels the messages with an id, whatever their policy: those in flight and those that wait.
  @usableFromInline
  func cancel(_ id: any Hashable & Sendable, on holder: isolated Holder) {
    for lane in Lane.Kind.allCases.map({ Lane($0, id) }) {
      unsafe flights.cancel(lane)?.runner.cancel()
      let cancelled = unsafe lanes.cancel(lane)
      if let timer = cancelled?.timer { alarms(of: holder).remove(timer.alarm) }
      cancelled?.inFlight?.runner.cancel()
    }
    unsafe waiting.store(lanes.waitingCount, ordering: .releasing)
  }

  /// Drops the message that waits longest where more wait than the newest ones that are kept.
  private func keepToBound() {
    guard case .newest(let limit) = mailbox.policy,
      unsafe mailbox.queuedCount + lanes.waitingCount > limit, unsafe lanes.dropOldest() != nil
    else { return }
    dropped.add(1, ordering: .relaxed)
  }

  private func now(for lane: Lane, on holder: isolated Holder) -> Duration {
    lane.kind.isTimed ? alarms(of: holder).timeline.now() : .zero
  }

  /// Tells others how many messages wait, and sets a timer for the lane's deadline, unless one rings
  /// early enough; what is due is decided when its mail is handled.
  private func update(_ lane: Lane, on holder: isolated Holder) {
    unsafe waiting.store(lanes.waitingCount, ordering: .releasing)
    guard lane.kind.isTimed, let known = unsafe lanes.occupied[lane], let deadline = known.deadline
    else { return }
    if let timer = known.timer, timer.deadline <= deadline, timer.urgency >= known.urgency {
      return
    }
    let (alarms, urgency) = (alarms(of: holder), known.urgency)
    if let timer = known.timer { alarms.remove(timer.alarm) }
    let alarm = alarms.add(at: deadline) { [weak holder] isFailed in
      guard let holder else { return }
      holder.desk.post(.due(lane, isFailed: isFailed), to: holder, urgency: urgency)
    }
    unsafe lanes.occupied[lane]?.timer = (deadline, urgency, alarm)
  }
}
