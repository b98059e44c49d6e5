internal import AsyncKnot
internal import Synchronization

/// The life of a letter: it is admitted, waits or starts, and ends.
extension Desk {
  /// The message of a waiting letter, stored in an object so that all holders have lanes of the same type, which the compiler can
  /// specialize.
  private final class Contents: Sendable {
    let message: Holder.Dispatched
    init(_ message: Holder.Dispatched) { self.message = message }
  }

  /// Lets the lanes decide when a message starts; returns its letter if it starts now.
  @usableFromInline
  func admit(
    _ message: Holder.Dispatched, _ receipt: Receipt?, _ track: Track?,
    under policy: DispatchPolicy, by runner: Runner, on holder: isolated Holder
  ) -> Letter? {
    let terms = policy.terms
    let letter = Letter(for: number, under: terms, urgency: runner.priority.rawValue, track)
    let lane = terms.lane
    defer { countWaiting() }
    carryOutRecalls(on: holder)
    if let receipt {
      let isGone = lane.kind == .exclusive && receipt.caller.isGone.load(ordering: .relaxed)
      if isGone || !receipt.isWanted() {
        track?.end(.ended(.dropped))
        return nil
      }
      if let origin = receipt.caller.origin, waitsForItself(letter, performedBy: origin),
        unsafe !lanes.isFresh(letter, now: now(for: terms, on: holder))
      {
        track?.end(.ended(.deadlock))
        receipt.resolve(.deadlock)
        return nil
      }
    }
    let timing = lane.kind == .debounced ? unsafe lanes.occupied[lane]?.timing : nil
    let decision = unsafe lanes.admit(letter, now: now(for: terms, on: holder))
    // The calls below may send messages, which a bounded mailbox drops if too many messages wait.
    countWaiting()
    switch decision {
    case .start(let superseded, let dropped):
      letter.join(receipt)
      if let superseded { end(superseded, .superseded, by: track) }
      if let dropped {
        removeAlarm(of: timing)
        end(dropped, .dropped, by: track)
      }
      withdrawEnded(on: holder)
      withdrawRevoked(in: lane, on: holder)
      guard isWanted(letter, on: holder) else { return nil }
      letter.begin(by: runner)
      if let expected = holder.expectedChange(for: message) {
        show(expected, of: message, letter, on: holder)
      }
      return letter
    case .wait(let dropped, let superseded):
      letter.join(receipt)
      track?.record(.waiting)
      unsafe letter.contents = Contents(message)
      if let expected = holder.expectedChange(for: message) {
        show(expected, of: message, letter, on: holder)
      }
      if let superseded { end(superseded, .superseded, by: track) }
      if let dropped { end(dropped, .dropped, by: track) }
      keepToBound(on: holder)
      withdrawEnded(on: holder)
      raiseBlockers(of: letter, on: holder)
      setAlarm(for: lane, on: holder)
    case .join(let other):
      track?.end(.joined, by: other.track)
      unsafe receipt?.caller.hasJoined = true
      other.join(receipt)
      raise(other, to: letter.urgency, on: holder)
    case .fresh:
      track?.end(.ended(.fresh))
      receipt?.resolve(.fresh)
    case .refuse: track?.end(.ended(.dropped))
    }
    return nil
  }

  /// Starts a `.concurrent` message without a receipt or a track, and shows the change that the message is expected to make.
  @usableFromInline
  func start(
    _ message: Holder.Dispatched, expecting expected: ExpectedChange<Holder>, by runner: Runner,
    on holder: isolated Holder
  ) -> Letter {
    let letter = Letter(for: number, of: runner)
    show(expected, of: message, letter, on: holder)
    return letter
  }

  /// Starts the next letter of a lane, if it is due.
  @usableFromInline
  func startNext(
    in lane: Lane, isFailed: Bool, by runner: Runner, on holder: isolated Holder
  ) -> (Holder.Dispatched, Letter)? {
    carryOutRecalls(on: holder)
    let timing = unsafe lanes.occupied[lane]?.timing
    removeAlarm(of: timing)
    // The time is read before the lanes change, because the holder's clock is user code. A throttled lane needs the time even
    // without a deadline, because a message that starts beside a cancelled one begins an interval.
    let needsTime = timing?.deadline != nil || lane.kind == .throttled
    let now = needsTime ? now(on: holder) : .zero
    withdrawRevoked(in: lane, on: holder)
    let next = unsafe lanes.startNext(in: lane, now: now, isFailed: isFailed)
    countWaiting()
    update(lane, on: holder)
    guard let next, let contents = unsafe next.contents.take() as? Contents,
      isWanted(next, on: holder)
    else { return nil }
    next.begin(by: runner)
    return (contents.message, next)
  }

  /// Removes the changes of a lane's cancelled messages, before the next message of the lane starts.
  private func withdrawRevoked(in lane: Lane, on holder: isolated Holder) {
    if unsafe !log.isIdle, lane.kind != .concurrent,
      unsafe lanes.occupied[lane]?.inFlight.contains(where: \.isRevoked) == true
    {
      withdrawRevoked(on: holder)
    }
  }

  /// Returns whether the sender still wants a letter that would start now; drops the letter if not.
  private func isWanted(_ letter: Letter, on holder: isolated Holder) -> Bool {
    if !letter.hasEnded, letter.mayStart { return true }
    end(letter, .dropped)
    withdrawEnded(on: holder)
    if unsafe lanes.finish(letter, now: now(for: letter.terms, on: holder)) {
      update(letter.lane, on: holder)
    }
    return false
  }

  /// Ends a letter whose handler has returned, unless it has already ended, and updates its lane.
  @usableFromInline
  func finish(_ letter: Letter, on holder: isolated Holder) {
    carryOutRecalls(on: holder)
    let now = now(for: letter.terms, on: holder)
    if letter.isRevoked {
      end(letter, .superseded)
    } else if let error = letter.failure {
      end(letter, .failed(error))
    } else {
      unsafe lanes.answered(letter, now: now)
      end(letter, .carriedOut)
    }
    withdrawEnded(on: holder)
    if unsafe lanes.finish(letter, now: now) { update(letter.lane, on: holder) }
  }

  /// Ends a letter, whether it was carried out, superseded, cancelled or dropped.
  ///
  /// Called for every admitted letter; only the first call for a letter has an effect.
  func end(_ letter: Letter, _ outcome: DispatchOutcome, by cause: Track? = nil) {
    guard letter.close(isRevoked: outcome == .superseded) else { return }
    if outcome == .superseded { unsafe letter.runner?.cancel() }
    letter.track?.end(.ended(outcome), by: cause)
    // Callers receive the outcome after the changes of their message are removed, so that they do not see these changes.
    if unsafe letter.openCount > 0 {
      unsafe unanswered.append((letter, outcome))
    } else {
      letter.answer(outcome)
    }
  }

  /// Records the cancellation of an id, on any thread.
  ///
  /// After this method has returned, no earlier message with this id commits, not even one that is already running.
  func recall(_ id: LaneID, from holder: Holder) {
    record { $0.ids.append(id) }
    Spawn.preemptionPoint()
    holder.knot.waitForWrite { [steps] in steps.wait() }
    post(.cancel(id), to: holder)
  }

  /// Records that the task of a request was cancelled, on any thread.
  ///
  /// The request cannot commit anymore, so it loses its changes even if its operation ignores the cancellation.
  func recall(_ ticket: Ticket, of message: Letter?, from holder: Holder) {
    if message?.isRevoked == true { return }
    var isFirst = false
    record { recalls in
      isFirst = recalls.requests.isEmpty
      recalls.requests.append(ticket.place)
    }
    // One item is enough for all requests that are recorded before it is taken.
    if isFirst { post(.revoked, to: holder) }
  }

  private func record(_ recall: (inout Recalls) -> Void) {
    recalls.withLock { recalls in
      recall(&recalls)
      hasRecalls.store(true, ordering: .relaxed)
    }
  }

  /// Cancels the recorded requests and, regardless of their policy, all messages in flight or waiting with a recorded id.
  ///
  /// Messages that are still in the mailbox are refused when a runner takes them.
  @usableFromInline @inline(never)
  func carryOutRecalls() {
    let known = recalls.withLock { recalls in
      defer { recalls = Recalls() }
      hasRecalls.store(false, ordering: .relaxed)
      return recalls
    }
    for place in known.requests {
      unsafe log.message(of: place)?.cancelRequest(isTaskCancelled: true)
    }
    unsafe cancelled += known.requests
    for id in known.ids {
      for var known in unsafe lanes.recall(id) {
        removeAlarm(of: known.timing)
        for letter in known.inFlight { end(letter, .superseded) }
        while let next = known.waiting.popFirst() { end(next.item, .dropped) }
      }
    }
  }

  private func carryOutRecalls(on holder: isolated Holder) {
    if hasRecalls.load(ordering: .relaxed) { carryOutRecalls() }
    // A write may have carried out the cancellations without removing the changes.
    withdrawEnded(on: holder)
  }

  /// Handles a cancellation that was taken from the mailbox; messages behind it were sent later, so they may start.
  @usableFromInline
  func endRecall(_ id: LaneID, on holder: isolated Holder) {
    carryOutRecalls()
    unsafe lanes.endRecall(id)
    withdrawEnded(on: holder)
    countWaiting()
  }

  /// Forgets the response of an id, and prevents callers from joining the message in flight.
  @usableFromInline
  func invalidate(_ id: LaneID) {
    for letter in unsafe lanes.invalidate(id) { letter.isStale = true }
  }

  /// Reviews a caller's message after the caller was cancelled, the message was cancelled, or the sender no longer wants it.
  ///
  /// A message that its outbox no longer wants is dropped or, if it has started, cancelled (O19). A cancelled caller is removed
  /// from the message that it shares, and the message is cancelled if nobody else wants it (O16).
  @usableFromInline
  func review(_ caller: Caller, on holder: isolated Holder) {
    carryOutRecalls(on: holder)
    guard let (letter, seat) = unsafe caller.place else { return }
    if unsafe letter.contents != nil {
      // The letter stays in its lane until its turn, but its change is removed.
      if !letter.isWanted { end(letter, .dropped) }
      return withdrawEnded(on: holder)
    }
    let hasLeft = letter.lane.kind == .exclusive && caller.isGone.load(ordering: .relaxed)
    if hasLeft, let receipt = letter.leave(seat) { return receipt.resolve(.callerCancelled) }
    guard hasLeft || letter.isRevoked || !letter.isWanted else { return }
    end(letter, .superseded)
    withdrawEnded(on: holder)
  }

  /// Removes the changes of messages and requests that were cancelled, and updates the lanes that are now free.
  @usableFromInline
  func handleRevoked(on holder: isolated Holder) {
    carryOutRecalls(on: holder)
    withdrawRevoked(on: holder)
    for lane in unsafe lanes.freedLanes { update(lane, on: holder) }
  }

  /// Raises the priority of a caller's message to at least the caller's new priority (F2).
  @usableFromInline
  func raiseMessage(of caller: Caller, to urgency: UInt8, on holder: isolated Holder) {
    if let (letter, _) = unsafe caller.place { raise(letter, to: urgency, on: holder) }
  }

  /// Raises the priority of the messages that block a letter in its lane to at least the letter's priority (F2).
  private func raiseBlockers(of letter: Letter, on holder: isolated Holder) {
    for other in unsafe lanes.blockers(of: letter) {
      raise(other, to: letter.urgency, on: holder)
    }
  }

  /// Raises the priority of a message for which a more urgent one waits, and of all messages for which the raised message waits.
  private func raise(_ letter: Letter, to urgency: UInt8, on holder: isolated Holder) {
    guard letter.urgency < urgency else { return }
    letter.urgency = urgency
    unsafe letter.runner?.raise(to: urgency)
    for other in letter.calls { raise(other, to: urgency, on: holder) }
    guard unsafe letter.contents != nil else { return }
    unsafe lanes.raise(letter.lane, to: urgency)
    raiseBlockers(of: letter, on: holder)
    update(letter.lane, on: holder)
  }

  /// Drops the message that has waited longest in any lane, if more messages wait than a `.newest` mailbox keeps.
  private func keepToBound(on holder: isolated Holder) {
    guard case .newest(let limit) = mailbox.policy,
      unsafe mailbox.queuedCount + lanes.waiting.count > limit,
      let oldest = unsafe lanes.dropOldest()
    else { return }
    dropped.add(1, ordering: .relaxed)
    end(oldest, .dropped)
    // Messages behind the dropped one may be due now.
    update(oldest.lane, on: holder)
  }

  /// Publishes the number of messages that are waiting in lanes, for other threads.
  @usableFromInline
  func countWaiting() { unsafe mailbox.elsewhere.store(lanes.waiting.count, ordering: .releasing) }
}
