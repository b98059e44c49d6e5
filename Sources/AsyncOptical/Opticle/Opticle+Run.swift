internal import AsyncKnot

extension Opticle {
  /// Runs the operation of a request, whose answer is `nil` where it is what was expected; `isNew` says that
  /// another change is expected than the message shows.
  func run(
    _ request: Request, _ expected: Response?, isNew: Bool = false, isLoad: Bool = false,
    showing meanwhile: Response? = nil, _ operation: () async throws -> Response?
  ) async -> Bool {
    let desk = desk
    var ticket: Ticket?
    if desk.mayCommit {
      ticket = begin(request, expected, isNew: isNew, isLoad: isLoad, showing: meanwhile)
    }
    defer { if let ticket { desk.withdraw(ticket, on: self) } }
    do {
      let answer = try await operation()
      guard let open = ticket, desk.mayCommit else { return false }
      ticket = nil
      return settle(open, with: answer)
    } catch {
      guard let open = ticket, desk.mayCommit, !(error is CancellationError) else { return false }
      ticket = nil
      desk.message?.fail(with: error)
      desk.fail(open, recovery(request, error), .failure(request, error), on: self)
      return false
    }
  }

  private func begin(
    _ request: Request, _ expected: Response?, isNew: Bool, isLoad: Bool,
    showing meanwhile: Response?
  ) -> Ticket {
    let desk = desk
    var ticket: Ticket
    if isLoad {
      ticket = desk.beginLoad()
    } else if let shown = unsafe desk.message?.expected, areEqual(shown.message, request) {
      ticket = desk.adopt(
        shown.place, expecting: isNew ? expected.map { change(expecting: $0, of: request) } : nil,
        on: self)
    } else {
      ticket = desk.begin(
        expecting: expected.map { change(expecting: $0, of: request) }, on: self)
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

  /// The change that a response makes.
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
    precondition(
      !(State.self is AnyObject.Type),
      """
      \(Self.self): a change of a \(State.self) cannot be removed again, because it is a class. Use a \
      struct as the state, or show nothing before the answer.
      """)
    checkRepeats(response)
    return change(showing: response, during: request)
  }

  private func change(showing response: Response, during request: Request) -> ExpectedChange<Self> {
    ExpectedChange(
      edit: edit(response), shown: .expected(response), confirmed: .response(response),
      withdrawn: .withdrawn(request))
  }
}

/// What a debug build tells of changes that may be applied again.
extension Opticle {
  /// Traps if a response that is applied twice is not the same both times.
  private func checkRepeats(_ response: Response) {
    assert(
      {
        let once = applying(response, to: state)
        return isSame(once, applying(response, to: once))
      }(),
      """
      \(Self.self): \(response) was applied twice, and gave another state. A response that is shown \
      before its answer may be applied again, over what a load brings: let it change nothing where it \
      was applied already, for example by looking for the id.
      """)
  }

  private func applying(_ response: Response, to state: State) -> State {
    var state = state
    mutate(&state, response: response)
    return state
  }

  #if DEBUG
    /// Tells, once for each opticle, that an answer has replaced a change that is pending.
    private func warnIfHidden(by answer: Response, at place: Int) {
      let desk = desk
      guard unsafe desk.log.pendingCount > 0 && !desk.hasWarned else { return }
      var again = state
      unsafe desk.log.repeatPending(before: place, on: &again, desk.apply(on: self))
      guard !isSame(state, again) else { return }
      unsafe desk.hasWarned = true
      Warning.print(
        """
        \(Self.self): \(answer), a response of 'commit(from:)', hides a change that is pending. If it says \
        what the server has, use 'load(from:)', which puts it beneath what the user has changed.
        """)
    }
  #endif

  /// Whether two states are equal, or differ in nothing that can be seen: NaN is not equal to itself.
  private func isSame(_ state: State, _ other: State) -> Bool {
    !(state is any Equatable) || areEqual(state, other)
      || StateDifference(from: state, to: other).lines.isEmpty
  }
}
