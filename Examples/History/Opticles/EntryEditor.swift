import AsyncKnot
import AsyncOptical

/// The screen of one entry, which sends each saved entry to the list, so that both screens show the same title.
actor EntryEditor: Opticle {
  struct State: Sendable, Equatable {
    enum Phase: Sendable, Equatable { case reading, editing, saving }

    var entry: Entry
    var draft: String { didSet { problem = Title.problem(with: draft) } }
    var phase = Phase.reading
    var problem: String?
  }

  enum Request: Sendable {
    case edit, abandon, save, undo, redo
    case type(Character)
    case backspace
  }

  enum Response: Sendable {
    case phase(State.Phase)
    case draft(Edit)
    case saved(Entry)
  }

  enum Edit: Sendable { case append(Character), removeLast }

  let knot: Knot<State>
  private let list: HistoryList
  private let timeout: Duration
  /// The changes of the draft since editing began.
  private var steps: UndoHistory<EntryEditor>?

  init(_ entry: Entry, in list: HistoryList, timeout: Duration) {
    knot = Knot(State(entry: entry, draft: entry.title))
    self.list = list
    self.timeout = timeout
  }

  nonisolated func policy(for request: Request) -> DispatchPolicy {
    if case .save = request { .exclusive("save") } else { .concurrent }
  }

  func dispatch(_ request: Request) async {
    switch request {
    case .edit:
      steps = UndoHistory(of: self, restoring: \.draft)
      commit(.phase(.editing))
    case .abandon:
      // Otherwise a save in flight would end, or reopen, an edit that the user begins in the meantime.
      cancel("save")
      commit(.phase(.reading))
    case .type(let character): commit(.draft(.append(character)))
    case .backspace: commit(.draft(.removeLast))
    case .save: await save()
    case .undo: if state.phase == .editing, let steps { undo(steps) }
    case .redo: if state.phase == .editing, let steps { redo(steps) }
    }
  }

  private func save() async {
    guard state.phase == .editing, state.problem == nil else { return }
    var entry = state.entry
    entry.title = state.draft
    commit(.phase(.saving))
    let (service, edited) = (list.service, entry)
    await commit(from: .save) {
      try await withTimeout(timeout) { try await service.save(edited) }
      return .saved(edited)
    }
    if state.entry == edited { list.send(.edited(edited)) }
  }

  func mutate(_ state: inout State, response: Response) {
    switch response {
    case .phase(.reading):
      state.draft = state.entry.title
      state.problem = nil
      state.phase = .reading
    case .phase(let phase): state.phase = phase
    case .draft(let edit) where state.phase == .editing:
      switch edit {
      case .append(let character): state.draft.append(character)
      case .removeLast: _ = state.draft.popLast()
      }
    case .draft: break
    case .saved(let entry):
      state.entry = entry
      state.draft = entry.title
      state.phase = .reading
      state.problem = nil
    }
  }

  func recover(_ state: inout State, request: Request, error: any Error) {
    state.phase = .editing
    state.problem = "Not saved. \(error)"
  }
}
