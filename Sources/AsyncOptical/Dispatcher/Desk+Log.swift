public import AsyncKnot
internal import Synchronization

/// A change of a state; what it returns is released after the step.
@usableFromInline
typealias Edit<Holder: Dispatcher> =
  @Sendable (isolated Holder, inout Holder.State) -> (
    any Sendable
  )?

/// The steps of a holder with a log: its knot has the base with the changes of the log applied (O15).
extension Desk {
  typealias Log = ChangeLog<Holder.State, Edit<Holder>, Holder.ChangeCause>

  /// What a step counts as.
  enum Meaning {
    /// An answer, or a change that needs none: a step of an undo history.
    case commit
    /// What the server has: no step of a history.
    case load
    /// A request has failed: nothing was committed.
    case failure
    /// A change is shown, or removed: the confirmed state stays.
    case appearance
  }

  /// The message of this holder that the current task belongs to.
  var message: Letter? {
    guard let letter = Letter.current, letter.holder == number else { return nil }
    return letter
  }

  /// Commits a change that needs no answer, in one step.
  func commit(
    _ cause: Holder.ChangeCause?, _ edit: @escaping Edit<Holder>, on holder: isolated Holder,
    as meaning: Meaning
  ) {
    step(meaning, { cause }, on: holder) { log, apply in
      log.commit(edit, over: holder.knot.state, apply)
    }
  }

  @usableFromInline @inline(never)
  func commit(
    _ cause: Holder.ChangeCause?, _ edit: @escaping Edit<Holder>, on holder: isolated Holder
  ) {
    commit(cause, edit, on: holder, as: .commit)
  }

  /// Changes the log, shows what it gives, and tells the listeners.
  ///
  /// The knot's lock is held only for a change in place. All that the step removes is released at its
  /// end, when the log and the knot agree (S18).
  ///
  /// - Returns: Whether there was something to do: not if `transition` returns `nil`.
  @discardableResult
  func step(
    _ meaning: Meaning, _ cause: () -> Holder.ChangeCause?, of letter: () -> Letter? = { nil },
    on holder: isolated Holder, _ transition: (inout Log, Log.Apply) -> Log.Effect?
  ) -> Bool {
    let (knot, isTold) = (holder.knot, isWatched(by: [.transitions, .events]))
    let keepsConfirmed = unsafe isTold || source != nil
    let apply = apply(on: holder)
    var before: (shown: Holder.State, confirmed: Holder.State)?
    if isTold { before = (knot.state, confirmed(on: holder)) }
    if keepsConfirmed { unsafe log.keepConfirmed(apply) } else { unsafe log.dropConfirmed() }
    guard let effect = unsafe transition(&log, apply) else { return false }
    var replaced: (any Sendable)?
    if case .apply(let edit) = effect { replaced = knot.write(by: owner) { edit(holder, &$0) } }
    let shown = unsafe log.close(effect, apply)
    if keepsConfirmed { unsafe log.keepConfirmed(apply) }
    let old = shown.map { knot.exchange(for: $0, by: owner) }
    let isUnchanged = if case .none = effect { true } else { false }
    switch meaning {
    case .commit, .load: unsafe hasCommitted = true
    case .failure, .appearance: if !isUnchanged { unsafe uncommittedCount += 1 }
    }
    let confirmed = unsafe log.confirmed ?? knot.state
    let oldConfirmed =
      meaning == .appearance ? nil : unsafe source?.exchange(for: confirmed, by: owner)
    updateFlags()
    let spent = unsafe log.takeSpent()
    if let before, !isUnchanged || meaning != .appearance {
      let cause = cause()
      tell(
        Transition(cause: cause, before: before.shown, after: knot.state),
        step: meaning == .commit
          ? Transition(cause: cause, before: before.confirmed, after: confirmed) : nil,
        of: letter())
    }
    withExtendedLifetime((spent, old, oldConfirmed, replaced, before)) {}
    return true
  }

  /// Removes changes without an answer, in one step; each request has its transition, of which the first
  /// has the difference.
  func withdraw(on holder: isolated Holder, where isOver: (Log.Entry) -> Bool) {
    var removed: [Log.Entry] = []
    step(
      .appearance, { removed.first?.withdrawal }, of: { removed.first?.message }, on: holder
    ) { log, _ in
      removed = log.remove(where: isOver)
      return removed.isEmpty ? Log.Effect.none : .fold
    }
    guard let first = removed.first, isWatched(by: [.transitions, .events]) else { return }
    var told: Set = [first.request]
    for other in removed.dropFirst() where told.insert(other.request).inserted {
      let shown = holder.knot.state
      tell(
        Transition(cause: other.withdrawal, before: shown, after: shown), step: nil,
        of: other.message)
    }
  }

  /// The state without what is pending.
  func confirmed(on holder: isolated Holder) -> Holder.State {
    unsafe log.keepConfirmed(apply(on: holder))
    return unsafe log.confirmed ?? holder.knot.state
  }

  /// Applies changes outside of the knot's lock: S11 holds there, too.
  func apply(on holder: isolated Holder) -> Log.Apply {
    { edit, state in Reducer.run(Holder.State.self) { edit(holder, &state) } }
  }

  /// Keeps the flags with which a commit sees at once that nobody listens and the log is idle.
  func updateFlags() {
    let isNew = unsafe !log.isIdle || source != nil
    guard unsafe isNew != isLogged else { return }
    unsafe isLogged = isNew
    setWatched(by: .log, isNew)
  }
}
