import AsyncKnotTesting
import AsyncOptical

/// A board whose undo reverts the user's change, but not a load that ended in the meantime, nor that load's spinner.
private actor Board: Opticle {
  struct State: Sendable, Equatable { var notes: [String] = [], author = "", isLoading = false }
  enum Request: Sendable { case load, add(String), undo }
  enum Response: Sendable { case loading, author(String), added(String) }

  let knot = Knot(State())
  private var history: UndoHistory<Board>?

  func dispatch(_ request: Request) async {
    let history = history ?? UndoHistory(of: self, restoring: \.notes)
    self.history = history
    switch request {
    case .load:
      commit(.loading)
      await load(from: request) {
        try await Task.sleep(for: .seconds(1))
        return .author("Ann")
      }
    case .add(let note): commit(.added(note))
    case .undo: undo(history)
    }
  }
  func mutate(_ state: inout State, response: Response) {
    switch response {
    case .loading: state.isLoading = true
    case .author(let author): (state.author, state.isLoading) = (author, false)
    case .added(let note): state.notes.append(note)
    }
  }
  func recover(_ state: inout State, request: Request, error: any Error) {}
}

@Test func undoRevertsOnlyTheNote() async {
  await explore(seeds: 500) {
    let board = Board()
    await withDiscardingTaskGroup { group in
      group.addTask { await board.dispatch(.load) }
      group.addTask {
        await board.dispatch(.add("tea"))
        try? await Task.sleep(for: .seconds(2))
        await board.dispatch(.undo)
      }
    }
    #expect(board.state == Board.State(author: "Ann"))
  }
}
