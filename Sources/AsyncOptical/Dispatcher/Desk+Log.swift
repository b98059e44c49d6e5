public import AsyncKnot
internal import Synchronization

/// A change of a state; returns the value that it replaced, which is released after the step.
@usableFromInline
typealias Edit<Holder: Dispatcher> =
  @Sendable (isolated Holder, inout Holder.State) -> (
    any Sendable
  )?

/// The steps of a holder with a log. The holder's knot contains the base with the log's changes applied (O15).
extension Desk {
  typealias Log = ChangeLog<Holder.State, Edit<Holder>, Holder.ChangeCause>

  /// The meaning of a step.
  enum Meaning {
    /// A response, or a change that needs no response.
    ///
    /// An undo history may record it as a step, unless it is a restore, which has no cause.
    case commit
    /// The step replaces the base with the server's data or a saved state.
    ///
    /// An undo history does not record it.
    case load
    /// The failure of a request. Nothing was committed.
    case failure
    /// A change is shown or removed. The confirmed state does not change.
    case appearance
  }

  /// The message of this holder that the current task belongs to.
  var message: Letter? {
    guard let letter = Letter.current, letter.holder == number else { return nil }
    return letter
  }

  /// Commits a change that needs no response, in one step; returns `false` if the current message was cancelled.
  @discardableResult
  func commit(
    _ cause: Holder.ChangeCause?, _ edit: @escaping Edit<Holder>, on holder: isolated Holder,
    as meaning: Meaning
  ) -> Bool {
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

  /// Changes the log, updates the shown state, and notifies the listeners.
  ///
  /// The knot's lock is held only while its state is written. All values that the step removes are released at the end of the
  /// step, when the log and the knot agree (S18).
  ///
  /// - Returns: `false` if the step did nothing, because `transition` returned `nil` or another thread has cancelled `message`,
  ///   by default the current message. A cancellation does not stop a step that only removes changes.
  @discardableResult
  func step(
    _ meaning: Meaning, _ cause: () -> Holder.ChangeCause?, of letter: () -> Letter? = { nil },
    for message: Letter? = nil, removes: Bool = false, on holder: isolated Holder,
    _ transition: (inout Log, Log.Apply) -> Log.Effect?
  ) -> Bool {
    Spawn.preemptionPoint()
    let (knot, hasListeners) = (holder.knot, isWatched(by: [.transitions, .events]))
    let keepsConfirmed = unsafe hasListeners || source != nil
    let apply = apply(on: holder)
    var before: (shown: Holder.State, confirmed: Holder.State)?
    var (effect, replaced, old): (Log.Effect?, (any Sendable)?, Holder.State?)
    var news: [News<Holder.State>] = []
    func write<Result: Sendable>(
      to knot: Knot<Holder.State>, _ body: (inout Holder.State) -> Result
    ) -> Result {
      let (result, latest) = knot.writeUnpublished(by: owner, body)
      if let latest { news.append(latest) }
      return result
    }
    func exchange(for new: Holder.State, in knot: Knot<Holder.State>) -> Holder.State {
      write(to: knot) { state in
        defer { state = new }
        return state
      }
    }
    func carryOut() {
      if keepsConfirmed { unsafe log.keepConfirmed(apply) } else { unsafe log.dropConfirmed() }
      if hasListeners { before = unsafe (knot.state, log.confirmed ?? knot.state) }
      effect = unsafe transition(&log, apply)
      guard let effect else { return }
      if case .apply(let edit) = effect { replaced = write(to: knot) { edit(holder, &$0) } }
      let shown = unsafe log.close(effect, apply)
      if keepsConfirmed { unsafe log.keepConfirmed(apply) }
      guard let shown else { return }
      old = exchange(for: shown, in: knot)
    }
    var hasRun = false
    repeat {
      steps.perform {
        hasRun = removes || !hasRecalls.load(ordering: .relaxed)
        if hasRun { carryOut() }
      }
    } while !hasRun && mayWrite(for: message)
    defer { Reducer.carryOutEndings() }
    guard let effect else { return false }
    let isUnchanged = if case .none = effect { true } else { false }
    switch meaning {
    case .commit, .load: unsafe hasCommitted = true
    case .failure, .appearance: if !isUnchanged { unsafe uncommittedCount += 1 }
    }
    let confirmed = unsafe log.confirmed ?? knot.state
    let oldConfirmed =
      meaning == .appearance ? nil : unsafe source.map { exchange(for: confirmed, in: $0) }
    for news in news { news.publish() }
    updateFlags()
    let spent = unsafe log.takeSpent()
    if let before, !isUnchanged || meaning != .appearance {
      let cause = cause()
      notify(
        Transition(cause: cause, before: before.shown, after: knot.state),
        step: meaning == .commit
          ? Transition(cause: cause, before: before.confirmed, after: confirmed) : nil,
        of: letter())
    }
    withExtendedLifetime((spent, old, oldConfirmed, replaced, before)) {}
    return true
  }

  /// Carries out the recorded cancellations; returns whether `message`, or the current message if it is `nil`, may still write.
  private func mayWrite(for message: Letter?) -> Bool {
    guard let message else { return mayWrite }
    carryOutRecalls()
    return !message.hasEnded
  }

  /// Removes unsettled changes in one step; listeners receive one transition for each request, and the first of these transitions
  /// contains the whole difference.
  func withdraw(on holder: isolated Holder, where isOver: (Log.Entry) -> Bool) {
    var removed: [Log.Entry] = []
    step(
      .appearance, { removed.first?.withdrawal }, of: { removed.first?.message }, removes: true,
      on: holder
    ) { log, _ in
      removed = log.remove(where: isOver)
      return removed.isEmpty ? Log.Effect.none : .fold
    }
    guard let first = removed.first, isWatched(by: [.transitions, .events]) else { return }
    var notified: Set = [first.request]
    for other in removed.dropFirst() where notified.insert(other.request).inserted {
      let shown = holder.knot.state
      notify(
        Transition(cause: other.withdrawal, before: shown, after: shown), step: nil,
        of: other.message)
    }
  }

  /// Returns the state without the pending changes.
  func confirmed(on holder: isolated Holder) -> Holder.State {
    defer { Reducer.carryOutEndings() }
    unsafe log.keepConfirmed(apply(on: holder))
    return unsafe log.confirmed ?? holder.knot.state
  }

  /// Returns a closure that applies a change outside the knot's lock.
  ///
  /// The change is a reducer, so S11 applies. The caller must call `Reducer.carryOutEndings()` afterward.
  func apply(on holder: isolated Holder) -> Log.Apply {
    { edit, state in Reducer.run(Holder.State.self) { edit(holder, &state) } }
  }

  /// Updates the flags that tell a commit whether it must go through the log.
  func updateFlags() {
    let isNew = unsafe !log.isIdle || source != nil
    guard unsafe isNew != isLogged else { return }
    unsafe isLogged = isNew
    setWatched(by: .log, isNew)
  }
}
