internal import AsyncKnot

// A class, so that code that is not specialized for the holder can check for `nil` without the type's metadata.
/// A change that a request is expected to make, with the causes of its transitions.
public final class ExpectedChange<Holder: Dispatcher>: Sendable {
  let edit: Edit<Holder>
  let shown: Holder.ChangeCause
  let confirmed: Holder.ChangeCause
  let withdrawn: Holder.ChangeCause

  init(
    edit: @escaping Edit<Holder>, shown: Holder.ChangeCause, confirmed: Holder.ChangeCause,
    withdrawn: Holder.ChangeCause
  ) {
    (self.edit, self.shown, self.confirmed, self.withdrawn) = (edit, shown, confirmed, withdrawn)
  }
}

/// A request in the log, from its beginning until it is answered, fails or is withdrawn.
struct Ticket {
  let place: Int
  let isLoad: Bool
  var hasSpinner = false
}

/// The requests of a log. Each request shows, settles and removes only its own changes.
extension Desk {
  /// Begins a request whose response is a change: shows the expected change, or reserves a position for the response.
  func begin(
    expecting expected: ExpectedChange<Holder>?, on holder: isolated Holder
  ) -> Ticket? {
    guard let expected else {
      let (place, _) = unsafe log.begin(.reserved, of: message)
      updateFlags()
      return Ticket(place: place, isLoad: false)
    }
    var place = 0
    let hasBegun = step(.appearance, { expected.shown }, on: holder) { log, _ in
      let begun = log.begin(
        .pending(expected.edit, expected.confirmed), of: message, withdrawal: expected.withdrawn,
        over: holder.knot.state)
      place = begun.place
      return begun.effect
    }
    return hasBegun ? Ticket(place: place, isLoad: false) : nil
  }

  /// Lets a commit adopt the change that the current message shows, and replaces the change if another one is now expected.
  func adopt(
    _ place: Int, expecting other: ExpectedChange<Holder>?, on holder: isolated Holder
  ) -> Ticket {
    unsafe message?.expected = nil
    if let other {
      step(.appearance, { other.shown }, on: holder) { log, _ in
        log.expect(other.edit, other.confirmed, at: place)
      }
    }
    return Ticket(place: place, isLoad: false)
  }

  func beginLoad() -> Ticket {
    let place = unsafe log.beginLoad(of: message)
    updateFlags()
    return Ticket(place: place, isLoad: true)
  }

  /// Shows a change until a request has ended.
  func show(
    _ change: ExpectedChange<Holder>, during ticket: inout Ticket, on holder: isolated Holder
  ) {
    ticket.hasSpinner = true
    step(.appearance, { change.shown }, on: holder) { [place = ticket.place] log, _ in
      log.begin(
        .showing(change.edit), for: place, of: message, withdrawal: change.withdrawn,
        over: holder.knot.state
      ).effect
    }
  }

  /// Settles a request with its response or, if there is none, with the change that it shows.
  ///
  /// Returns `false` if nothing was settled.
  func answer(
    _ ticket: Ticket, _ edit: Edit<Holder>?, _ cause: Holder.ChangeCause?,
    on holder: isolated Holder
  ) -> Bool {
    let place = ticket.place
    let confirmation = edit == nil ? unsafe log.confirmation(of: place) : nil
    return step(ticket.isLoad ? .load : .commit, { confirmation ?? cause }, on: holder) {
      log, apply in
      let isSpinnerGone = end(ticket, in: &log)
      let effect =
        ticket.isLoad
        ? edit.map { log.load($0, apply) }
        : log.settle(place, as: edit, over: holder.knot.state, apply)
      return isSpinnerGone && effect != nil ? .fold : effect
    }
  }

  /// Removes the changes that a request shows, and applies its failure; returns `false` if nothing was applied.
  func fail(
    _ ticket: Ticket, _ recover: @escaping Edit<Holder>, _ cause: Holder.ChangeCause,
    on holder: isolated Holder
  ) -> Bool {
    let place = ticket.place
    return step(.failure, { cause }, on: holder) { log, apply in
      var isFolded = end(ticket, in: &log)
      guard !ticket.isLoad else {
        let effect = log.load(recover, apply)
        return isFolded ? .fold : effect
      }
      if log.remove(place) { isFolded = true }
      let effect = log.commit(recover, over: holder.knot.state, apply)
      return isFolded ? .fold : effect
    }
  }

  /// Removes the unsettled changes that a request shows.
  func withdraw(_ ticket: Ticket, on holder: isolated Holder) {
    unsafe log.endLoads { place, _ in place == ticket.place }
    withdraw(on: holder) { $0.request == ticket.place }
  }

  /// Ends the load and removes the spinner of a request; returns whether a spinner was removed.
  private func end(_ ticket: Ticket, in log: inout Log) -> Bool {
    if ticket.isLoad { log.endLoads { place, _ in place == ticket.place } }
    guard ticket.hasSpinner else { return false }
    return !log.remove { $0.request == ticket.place && $0.isShowing }.isEmpty
  }
}

extension Desk {
  /// Shows the change that a message is expected to make.
  func show(
    _ expected: ExpectedChange<Holder>, of message: Holder.Dispatched, _ letter: Letter,
    on holder: isolated Holder
  ) {
    // A handler of the trace or the computation of the expectation may have cancelled the message.
    if letter.hasEnded || letter.isRevoked { return }
    step(.appearance, { expected.shown }, of: { letter }, for: letter, on: holder) { log, _ in
      let (place, effect) = log.begin(
        .pending(expected.edit, expected.confirmed), of: letter, withdrawal: expected.withdrawn,
        over: holder.knot.state)
      unsafe letter.expected = (place, message)
      return effect
    }
  }

  /// Removes the changes of cancelled requests and of messages that have ended, and then passes the outcomes of these messages to
  /// their callers.
  ///
  /// Removes all changes and loads of a superseded or cancelled message. For any other message, removes only the expected change,
  /// unless a commit has adopted that change.
  func withdrawEnded(on holder: isolated Holder) {
    guard unsafe !unanswered.isEmpty || !cancelled.isEmpty else { return }
    let (ended, requests) = unsafe (unanswered, Set(cancelled))
    unsafe (unanswered, cancelled) = ([], [])
    unsafe log.endLoads { place, _ in requests.contains(place) }
    withdraw(on: holder) { change in
      if requests.contains(change.request) { return true }
      guard let letter = change.message, letter.hasEnded else { return false }
      return unsafe letter.isRevoked || letter.expected?.place == change.place
    }
    for (letter, outcome) in ended { letter.answer(outcome) }
  }

  /// Removes the changes of messages that were superseded or cancelled and have not returned, and ends their loads.
  func withdrawRevoked(on holder: isolated Holder) {
    if unsafe !log.isIdle { withdraw(on: holder) { $0.message?.isRevoked == true } }
  }

  /// Replaces the base with a saved state and keeps all changes on top of it; returns whether the base was replaced.
  func restoreBase(_ state: Holder.State, on holder: isolated Holder) -> Bool {
    step(.load, { nil }, on: holder) { log, apply in
      log.load(
        { _, current in
          defer { current = state }
          return current
        }, apply)
    }
  }

  /// Returns whether all writes so far only showed or removed pending changes, or applied failures.
  func isUncommitted(_ knot: Knot<Holder.State>) -> Bool {
    unsafe !hasCommitted && knot.version == uncommittedCount + 1
  }
}
