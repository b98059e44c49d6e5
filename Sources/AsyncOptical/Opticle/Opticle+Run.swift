internal import AsyncKnot

extension Opticle {
  /// Runs the operation of a request and commits its outcome.
  ///
  /// With `isNew`, `expected` replaces the response that the message already shows. The operation returns
  /// the response, or `nil` to confirm the expected one.
  func run(
    _ request: Request, _ expected: Response?, isNew: Bool = false, isLoad: Bool = false,
    showing meanwhile: Response? = nil, _ operation: () async throws -> Response?
  ) async -> Bool {
    checkState()
    let desk = desk
    var ticket: Ticket?
    if desk.mayCommit {
      ticket = begin(request, expected, isNew: isNew, isLoad: isLoad, showing: meanwhile)
    }
    defer { if let ticket { desk.withdraw(ticket, on: self) } }
    do {
      let answer = try await carryOut(operation, of: ticket)
      guard let open = ticket, desk.mayCommit else { throw CancellationError() }
      desk.message?.answerRequest()
      let isSettled = settle(open, with: answer)
      // If nothing was settled, because the message was cancelled or no change was expected, `defer` withdraws the changes.
      if isSettled { ticket = nil }
      return isSettled
    } catch {
      guard let open = ticket, desk.mayCommit, !(error is CancellationError) else {
        // Nothing was committed, so the message counts as not carried out, even if it was not cancelled.
        desk.message?.cancelRequest()
        return false
      }
      desk.message?.fail(with: error)
      if desk.fail(open, recovery(request, error), .failure(request, error), on: self) {
        ticket = nil
      }
      return false
    }
  }

  /// Runs an operation, and withdraws the changes of its request as soon as the task is cancelled.
  private func carryOut(
    _ operation: () async throws -> Response?, of ticket: Ticket?
  ) async throws -> Response? {
    guard let ticket else { return try await operation() }
    let (desk, message) = (desk, desk.message)
    return try await withTaskCancellationHandler(operation: operation) {
      desk.recall(ticket, of: message, from: self)
    }
  }

  private func begin(
    _ request: Request, _ expected: Response?, isNew: Bool, isLoad: Bool,
    showing meanwhile: Response?
  ) -> Ticket? {
    let desk = desk
    var ticket: Ticket
    if isLoad {
      ticket = desk.beginLoad()
    } else if let shown = unsafe desk.message?.expected, areEqual(shown.message, request),
      // A task of the message may get here after the dispatch has returned and the change was removed.
      unsafe desk.log.contains(shown.place)
    {
      ticket = desk.adopt(
        shown.place, expecting: isNew ? expected.map { change(expecting: $0, of: request) } : nil,
        on: self)
    } else {
      guard
        let begun = desk.begin(
          expecting: expected.map { change(expecting: $0, of: request) }, on: self)
      else { return nil }
      ticket = begun
    }
    if let meanwhile {
      desk.show(change(showing: meanwhile, during: request), during: &ticket, on: self)
    }
    return ticket
  }

  private func settle(_ ticket: Ticket, with answer: Response?) -> Bool {
    let desk = desk
    guard let answer else { return desk.answer(ticket, nil, nil, on: self) }
    let cause: ChangeCause = ticket.isLoad ? .loaded(answer) : .response(answer)
    let isApplied = desk.answer(ticket, edit(answer), cause, on: self)
    #if DEBUG
      if !ticket.isLoad { warnIfHidden(by: answer, at: ticket.place) }
    #endif
    return isApplied
  }

  /// Returns the change that applies a response.
  @usableFromInline
  func edit(_ response: Response) -> Edit<Self> {
    {
      $0.mutate(&$1, response: response)
      return nil
    }
  }

  func recovery(_ request: Request, _ error: any Error) -> Edit<Self> {
    {
      $0.recover(&$1, request: request, error: error)
      return nil
    }
  }

  @usableFromInline
  func change(expecting response: Response, of request: Request) -> ExpectedChange<Self> {
    checkState()
    checkRepeats(response)
    return change(showing: response, during: request)
  }

  private func change(showing response: Response, during request: Request) -> ExpectedChange<Self> {
    ExpectedChange(
      edit: edit(response), shown: .expected(response), confirmed: .response(response),
      withdrawn: .withdrawn(request))
  }
}

extension Opticle {
  /// Traps if the state is an object.
  private func checkState() {
    precondition(
      !(State.self is AnyObject.Type),
      """
      \(Self.self): needs a state that is not a class, because a request's change may be removed or applied \
      again; got the class \(State.self). Use a struct as the state.
      """)
  }
}

/// Debug checks for changes that may be applied again.
extension Opticle {
  /// Traps if applying a response a second time changes an `Equatable` state again.
  private func checkRepeats(_ response: Response) {
    assert(
      {
        let once = applying(response, to: state)
        return isSame(once, applying(response, to: once))
      }(),
      """
      \(Self.self): applying \(response) a second time changed the state again. An expected \
      response may be applied to loaded data that already contains its change, so applying it again must \
      change nothing. For example, check the id before you append.
      """)
  }

  private func applying(_ response: Response, to state: State) -> State {
    var state = state
    mutate(&state, response: response)
    return state
  }

  #if DEBUG
    /// Warns, at most once for each type of opticle, if a response hides a pending change of an `Equatable` state.
    private func warnIfHidden(by answer: Response, at place: Int) {
      let desk = desk
      guard unsafe desk.log.pendingCount > 0 && !desk.hasWarned else { return }
      var again = state
      unsafe desk.log.repeatPending(before: place, on: &again, desk.apply(on: self))
      Reducer.carryOutEndings()
      guard !isSame(state, again) else { return }
      unsafe desk.hasWarned = true
      let shown = "\(answer)".clipped(to: 200)
      Warning.printOnce(
        for: Self.self,
        """
        \(Self.self): \(shown), a response that 'commit' has applied, hides a pending change. If the response is \
        the server's data, use 'load', which applies it below the user's changes. If it is a newer \
        change, send both requests with one '.serial' id, so that they reach the server in that order.
        """)
    }
  #endif

  /// Returns whether two states are the same; `true` if they are not `Equatable`.
  private func isSame(_ state: State, _ other: State) -> Bool {
    !(state is any Equatable) || areSame(state, other)
  }
}
