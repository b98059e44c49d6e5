public import AsyncKnot
internal import Synchronization

/// The steps of a state over which changes are pending (O15): the holder's knot has the confirmed
/// state with these changes applied, in order.
extension Desk {
  typealias Edit = @Sendable (isolated Holder, inout Holder.State) -> Void
  typealias Pending = PendingChanges<Holder.State, Edit, Holder.ChangeCause>

  /// The message of this holder that the current task belongs to.
  var message: Letter? {
    guard let letter = Letter.current, letter.holder == number else { return nil }
    return letter
  }

  /// Shows a change over the confirmed state, in one step.
  func show(
    _ change: Pending.Shown, as cause: Holder.ChangeCause, in knot: Knot<Holder.State>,
    on holder: isolated Holder
  ) {
    let before = knot.state
    unsafe pending.show(change, over: before)
    unsafe pending.unconfirmedCount += 1
    updateFlags()
    knot.write(by: owner) { change.change(holder, &$0) }
    tell(Transition(cause: cause, before: before, after: knot.state), confirmed: nil)
  }

  /// Changes the confirmed state, and shows over it what is still pending, in one step; where changes
  /// were only withdrawn it is no answer.
  @usableFromInline @inline(never)
  func step<Result: Sendable>(
    _ cause: Holder.ChangeCause?, in knot: Knot<Holder.State>, on holder: isolated Holder,
    isAnswer: Bool = true, _ body: (inout Holder.State) -> Result
  ) -> Result {
    let rest = unsafe pending.shown
    var confirmed = unsafe pending.confirmed.take()
    let isTold = hasListeners
    let (result, before, after) = knot.write(by: owner) { state in
      var before = isTold ? (shown: state, confirmed: state) : nil
      // From here on the confirmed state is held once, so that it changes in place.
      if let known = confirmed.take() { state = known }
      before?.confirmed = state
      let result = body(&state)
      let after = state
      for each in rest { each.change(holder, &state) }
      return (result, before, (shown: isTold ? state : nil, confirmed: after))
    }
    unsafe pending.confirmed = rest.isEmpty ? nil : after.confirmed
    if isAnswer { unsafe pending.source?.exchange(for: after.confirmed, by: owner) }
    updateFlags()
    if let before, let shown = after.shown {
      tell(
        Transition(cause: cause, before: before.shown, after: shown),
        confirmed: isAnswer
          ? Transition(cause: cause, before: before.confirmed, after: after.confirmed) : nil)
    }
    return result
  }

  /// Applies the answer of a commit to the confirmed state, and removes the changes that it shows, so
  /// many, in one step.
  func settle(
    _ commit: Int, showing count: Int, _ cause: Holder.ChangeCause, in knot: Knot<Holder.State>,
    on holder: isolated Holder, _ body: (inout Holder.State) -> Void
  ) {
    guard unsafe isPending else {
      write(cause, to: knot, on: holder, body)
      return
    }
    let over = unsafe pending.remove(count, of: commit)
    step(cause, in: knot, on: holder, body)
    withExtendedLifetime(over) {}
  }

  /// Makes the change that a commit expects part of the confirmed state, in one step, and has the
  /// loads in flight make it once more; returns whether there is one.
  func confirm(_ commit: Int, in knot: Knot<Holder.State>, on holder: isolated Holder) -> Bool {
    guard let expected = unsafe pending.expected(of: commit), let cause = expected.confirmation
    else { return false }
    unsafe pending.keep(expected.change)
    guard unsafe pending.begins(with: commit) else {
      settle(commit, showing: 1, cause, in: knot, on: holder) { expected.change(holder, &$0) }
      return true
    }
    // What is shown begins with this change, and stays: the others need not be applied again.
    let before = hasListeners ? unsafe pending.confirmed : nil
    let shown = knot.state
    var after = unsafe pending.confirmed.take() ?? shown
    _ = unsafe pending.remove(1, of: commit)
    if unsafe pending.shown.isEmpty {
      after = shown
    } else {
      expected.change(holder, &after)
      unsafe pending.confirmed = after
    }
    unsafe pending.source?.exchange(for: after, by: owner)
    updateFlags()
    if let before {
      tell(
        Transition(cause: cause, before: shown, after: shown),
        confirmed: Transition(cause: cause, before: before, after: after))
    }
    return true
  }

  /// Removes changes without an answer, in one step; each commit and each message that waits has its
  /// transition, of which the first has the difference.
  func withdraw(on holder: isolated Holder, where isOver: (Pending.Shown) -> Bool) {
    guard unsafe isPending else { return }
    let over = unsafe pending.remove(where: isOver)
    guard let first = over.first else { return }
    unsafe pending.unconfirmedCount += 1
    let knot = holder.knot
    step(first.withdrawal, in: knot, on: holder, isAnswer: false) { _ in }
    var told: Set = [first.commit]
    // Messages that wait have no commit yet, and one change each.
    for other in over.dropFirst() where other.commit == 0 || told.insert(other.commit).inserted {
      let shown = knot.state
      tell(Transition(cause: other.withdrawal, before: shown, after: shown), confirmed: nil)
    }
  }

  private var hasListeners: Bool { listeners.withLock { !$0.all.isEmpty } }

  /// Keeps the flags with which a write sees at once that nobody listens and nothing is pending.
  func updateFlags() {
    let isNew = unsafe !pending.shown.isEmpty || pending.source != nil
    guard unsafe isNew != isPending else { return }
    listeners.withLock { listeners in
      unsafe isPending = isNew
      isWatched.store(isNew || !listeners.all.isEmpty, ordering: .relaxed)
    }
  }
}
