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
      await load(from: request, showing: .loading) {
        try await Task.sleep(for: .seconds(1))
        if fault("offline") { throw Offline() }
        return .author("Ann")
      }
    case .add(let note): commit(.added(note))
    case .undo: undo(history)
    }
  }
  func mutate(_ state: inout State, response: Response) {
    switch response {
    case .loading: state.isLoading = true
    case .author(let author): state.author = author
    case .added(let note): state.notes.append(note)
    }
  }
  func recover(_ state: inout State, request: Request, error: any Error) {}
}

private struct Offline: Error {}

@Test func undoRevertsOnlyTheNote() async {
  await explore(seeds: 500) {
    let board = Board()
    await withDiscardingTaskGroup { group in
      group.addTask { await board.dispatch(.load) }
      group.addTask {
        for note in ["tea", "milk", "rice"] { await board.dispatch(.add(note)) }
        let isLoading = choose("undo during the load", from: [false, true])
        try? await Task.sleep(for: .milliseconds(isLoading ? 500 : 2_000))
        await board.dispatch(.undo)
        #expect(board.state.isLoading == isLoading)
      }
    }
    #expect(!board.state.isLoading && board.state.notes == ["tea", "milk"])
    #expect(["", "Ann"].contains(board.state.author))
  }
}
