internal import AsyncKnot
internal import Synchronization

/// The way of a letter: it is admitted, waits or starts, and ends.
extension Desk {
  /// What a letter that waits contains: an object, so that lanes are of one type, and fast, for all
  /// holders.
  private final class Contents: Sendable {
    let message: Holder.Dispatched
    init(_ message: Holder.Dispatched) { self.message = message }
  }

  /// Asks the lanes what becomes of a message; returns its letter if it starts now.
  @usableFromInline
  func admit(
    _ message: Holder.Dispatched, _ receipt: Receipt?, under policy: DispatchPolicy,
    by runner: Runner, on holder: isolated Holder
  ) -> Letter? {
    guard let terms = policy.terms else { return nil }
    let letter = Letter(for: number, under: terms, urgency: runner.priority.rawValue)
    let lane = terms.lane
    defer { countWaiting() }
    switch unsafe lanes.admit(letter, now: now(for: lane.kind, on: holder)) {
    case .start(let superseded):
      letter.join(receipt)
      if letter.isAbandoned {
        end(letter, .dropped)
        finish(letter, on: holder)
        return nil
      }
      if let superseded { end(superseded, .superseded) }
      takeBack(on: holder)
      letter.begin(by: runner)
      if let expected = holder.expectedChange(of: message) {
        show(expected, of: message, letter, on: holder)
      }
      return letter
    case .wait(let dropped, let superseded):
      letter.join(receipt)
      unsafe letter.contents = Contents(message)
      if let expected = holder.expectedChange(of: message) {
        show(expected, of: message, letter, on: holder)
      }
      if let superseded { end(superseded, .superseded) }
      if let dropped { end(dropped, .dropped) }
      keepToBound()
      takeBack(on: holder)
      if lane.kind.isTimed { update(lane, on: holder) }
    case .join(let other):
      // A handler that performed its own message would wait for itself.
      if receipt == nil || receipt?.caller.origin !== other { other.join(receipt) }
    }
    return nil
  }

  /// Starts a message that no policy concerns, and shows what it is expected to change.
  @usableFromInline
  func start(
    _ message: Holder.Dispatched, _ receipt: Receipt?, expecting expected: ExpectedChange<Holder>,
    by runner: Runner, on holder: isolated Holder
  ) -> Letter {
    let letter = Letter(for: number, of: runner)
    letter.join(receipt)
    show(expected, of: message, letter, on: holder)
    return letter
  }

  /// Starts the next letter of a lane, if it is due.
  @usableFromInline
  func startNext(
    in lane: Lane, isFailed: Bool, by runner: Runner, on holder: isolated Holder
  ) -> (Holder.Dispatched, Letter)? {
    let next = unsafe lanes.startNext(
      in: lane, now: now(for: lane.kind, on: holder), isFailed: isFailed)
    countWaiting()
    update(lane, on: holder)
    guard let next, let contents = unsafe next.contents.take() as? Contents else { return nil }
    next.begin(by: runner)
    return (contents.message, next)
  }

  /// Goes on after a letter whose handler has returned, perhaps long after the letter's end.
  @usableFromInline
  func finish(_ letter: Letter, on holder: isolated Holder) {
    end(letter, letter.isRevoked ? .superseded : .carriedOut)
    takeBack(on: holder)
    if unsafe lanes.finish(letter, now: now(for: letter.terms.lane.kind, on: holder)) {
      update(letter.lane, on: holder)
    }
  }

  /// Ends a letter: each one that was admitted comes here, whether it was carried out, superseded,
  /// cancelled or dropped, and only its first end counts.
  private func end(_ letter: Letter, _ outcome: DispatchOutcome) {
    guard letter.close(isRevoked: outcome == .superseded) else { return }
    if unsafe letter.openCount > 0 { unsafe mustTakeBack = true }
    if outcome == .superseded { unsafe letter.runner?.cancel() }
    letter.answer(outcome)
  }

  /// Cancels the messages with an id, whatever their policy: those in flight and those that wait.
  @usableFromInline
  func cancel(_ id: any Hashable & Sendable, on holder: isolated Holder) {
    for kind in Lane.Kind.allCases {
      if var known = unsafe lanes.cancel(Lane(kind, id)) {
        if let timer = known.timer { alarms(of: holder).remove(timer.alarm) }
        for letter in known.inFlight { end(letter, .superseded) }
        while let next = known.waiting.popFirst() { end(next.item, .dropped) }
      }
    }
    takeBack(on: holder)
    countWaiting()
  }

  /// Cancels the message that a caller has waited for, if nobody else waits for it (O16).
  @usableFromInline
  func dismiss(_ caller: Caller, on holder: isolated Holder) {
    unsafe caller.isGone = true
    guard let letter = unsafe caller.letter.take() else { return }
    letter.leave()
    guard letter.isAbandoned else { return }
    end(letter, .superseded)
    takeBack(on: holder)
  }

  /// Drops the message that waits longest where more wait than the newest ones that are kept.
  private func keepToBound() {
    guard case .newest(let limit) = mailbox.policy,
      unsafe mailbox.queuedCount + lanes.waiting.count > limit,
      let oldest = unsafe lanes.dropOldest()
    else { return }
    dropped.add(1, ordering: .relaxed)
    end(oldest, .dropped)
  }

  /// Tells others how many messages wait in lanes.
  @usableFromInline
  func countWaiting() { unsafe mailbox.elsewhere.store(lanes.waiting.count, ordering: .releasing) }

  private func now(for kind: Lane.Kind, on holder: isolated Holder) -> Duration {
    kind.isTimed ? alarms(of: holder).timeline.now() : .zero
  }

  /// Posts a mail if the next message of a serial lane is due, and sets a timer for the deadline of a
  /// timed one, unless one rings early enough; what is due is decided when the mail is handled.
  private func update(_ lane: Lane, on holder: isolated Holder) {
    guard let known = unsafe lanes.occupied[lane] else { return }
    let urgency = known.urgency
    guard let deadline = known.deadline else {
      if !lane.kind.isTimed, known.isDue {
        post(.due(lane, isFailed: false), to: holder, urgency: urgency)
      }
      return
    }
    if let timer = known.timer, timer.deadline <= deadline, timer.urgency >= urgency { return }
    let alarms = alarms(of: holder)
    if let timer = known.timer { alarms.remove(timer.alarm) }
    let alarm = alarms.add(at: deadline) { [weak holder] isFailed in
      guard let holder else { return }
      holder.desk.post(.due(lane, isFailed: isFailed), to: holder, urgency: urgency)
    }
    unsafe lanes.occupied[lane]?.timer = (deadline, urgency, alarm)
  }
}
