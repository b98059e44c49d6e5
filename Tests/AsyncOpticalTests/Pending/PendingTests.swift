import AsyncKnot
import AsyncKnotTesting
@testable import AsyncOptical
import TestSupport
import Testing

@Suite struct PendingTests {
  @Test(
    "O15: what is shown is the confirmed state with what is pending applied in order",
    arguments: 0..<200)
  func oracle(seed: Int) async throws {
    try await Board().playAgainstModel(seed: seed)
  }

  @Test("O15: a failure takes its change back and is recovered from in one step")
  func failure() async {
    let board = Board(BoardServer(refusing: [2]))
    let changes = Recorder(board.transitions)
    await board.dispatch(.add(1))
    await board.dispatch(.add(2))
    let seen = await changes.wait(for: 4)
    #expect(seen.map(\.after.rows) == [[1], [1], [1, 2], [1]])
    #expect(seen.map(\.after.failed) == [[], [], [], [.add(2)]])
    #expect(seen[1].cause == .response(.added(1)))
    #expect(seen[1].before == seen[1].after)
  }

  @Test("O15: what was taken back was never confirmed")
  func takenBack() async {
    let board = Board()
    let confirmed = await board.confirmed
    board.send(.hang(1))
    await board.perform(.only(2))
    #expect(confirmed.state.rows == [2])
    #expect(confirmed.version == 2)
  }

  @Test("O15, O7: changes that are withdrawn in one step are all told, the first with what differs")
  func withdrawnTogether() async {
    await exploreContract(seeds: 1_000) {
      let board = Board()
      let changes = Recorder(board.transitions)
      for row in 1...3 {
        board.send(.queued(row))
        for _ in 0..<row { await Task.yield() }
      }
      board.cancel("queue")
      await board.perform(.title("x"))
      await untilIdle()
      let seen = changes.elements
      let withdrawn = seen.filter { if case .withdrawn = $0.cause { true } else { false } }
      let shown = seen.count { if case .expected = $0.cause { true } else { false } }
      let answered = seen.count { if case .response(.added) = $0.cause { true } else { false } }
      try hold(withdrawn.count + answered == shown, "\(seen.map(\.cause))")
      let differ = withdrawn.count { $0.before != $0.after }
      // The operation in flight may end between the cancellation and its turn, and takes its own back.
      let steps = min(1, withdrawn.count)...min(2, withdrawn.count)
      try hold(steps.contains(differ), "\(differ) of \(withdrawn.count) differ")
      sometimes("three go at once", withdrawn.count == 3)
      sometimes("two that wait go", withdrawn.count == 2)
    }
  }

  @Test("O15: once all is settled or withdrawn, a write is as quick as before")
  func flagsGoDown() async {
    for request in [Board.Request.add(1), .add(2), .load, .forget(3), .queued(4)] {
      let board = Board(BoardServer(refusing: [2]))
      await board.perform(request)
      await board.perform(.title("x"))
      let isPending = await board.isPending
      #expect(!isPending, "\(request)")
    }
  }

  @Test("O15: the service's own answer takes the place of the one that was expected")
  func betterAnswer() async {
    let board = Board()
    let changes = Recorder(board.transitions)
    await board.dispatch(.addBetter(1))
    #expect(await changes.wait(for: 2).map(\.after.rows) == [[1], [101]])
  }

  @Test("O15: to settle a thousand pending changes in turn applies each of them a few times")
  func linear() async {
    let board = Board()
    let gate = Gate()
    for row in 0..<1_000 { board.send(.queued(row)) }
    await board.perform(.queued(1_000))
    gate.open()
    #expect(board.state.rows.count == 1_001)
    // Shown once, confirmed once.
    #expect(board.applied.value <= 2 * 1_001 * (isDebug ? 3 : 1))
  }

  @Test("O15: beside a spinner a commit changes the state in place")
  func inPlace() async {
    actor Buffer: Opticle {
      struct State: Sendable {
        var rows = [Int](repeating: 0, count: 1_000)
        var isLoading = false
      }
      let knot = Knot(State())
      private(set) var addresses: Set<UInt> = []
      func dispatch(_ request: Int) async {
        await commit(from: request, showing: nil as Int?) {
          for id in 1...10 { commit(id) }
          return 11
        }
      }
      func load() async {
        await commit(from: 0, showing: -1) {
          for id in 1...10 { commit(id) }
          return 11
        }
      }
      func mutate(_ state: inout State, response: Int) {
        guard response >= 0 else { return state.isLoading = true }
        state.rows[0] = response
        state.rows.withUnsafeBytes { bytes in
          _ = addresses.insert(UInt(bitPattern: bytes.baseAddress))
        }
      }
      func recover(_ state: inout State, request: Int, error: any Error) {}
    }
    let buffer = Buffer()
    await buffer.load()
    #expect(await buffer.addresses.count == 1)
  }

  @Test("O15, O9: what is only shown is no commit: an archive still restores")
  func restoreWhileShown() async throws {
    let board = Board()
    let archive = StateArchive<Board.State>(
      storage: Memory("AsyncKnot state 1\nrows"), encode: { _ in [] },
      decode: { _ in .init(rows: [7]) })
    board.send(.hang(1))
    await waitWhile(board.state.rows.isEmpty)
    guard case .state = try await board.restore(from: archive) else {
      Issue.record("nothing was restored")
      return
    }
    #expect(board.state.rows == [7, 1])
    board.knot.bag.cancel()
  }

  @Test("O18: a step that changes nothing is skipped, and clear() forgets all")
  func skipped() async {
    let worker = Worker()
    let history = UndoHistory(of: worker, restoring: \.done) { cause in
      if case .response(1...9) = cause { true } else { false }
    }
    await worker.commit(1)
    await worker.commit(2)
    await worker.restore(.init(done: [1]))
    #expect(await worker.undo(history))
    #expect(worker.state.done == [])
    #expect(await worker.redo(history))
    #expect(worker.state.done == [1])
    history.clear()
    #expect(history.undoCount == 0)
    #expect(await !worker.undo(history))
    #expect(await !worker.redo(history))
  }

  #if DEBUG && (os(macOS) || os(Linux))
    @Test("O15: a response that may be applied again, and changes something then, is told of")
    func notRepeatable() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { await Worker().edit(3) }
      #expect(result.says("Worker: 3 was applied twice, and gave another state."))
    }
  #endif
}

extension Board {
  /// A load in flight, with the edits that were made since it began.
  private struct Load {
    let number: Int
    var edits: [Response] = []
  }

  /// Takes random steps of the desk, and compares with a model that computes all of it anew.
  fileprivate func playAgainstModel(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var confirmed = State()
    var pending: [(commit: Int, response: Response, isExpected: Bool)] = []
    var loads: [Load] = []
    func answer(_ response: Response) {
      mutate(&confirmed, response: response)
      for index in loads.indices { loads[index].edits.append(response) }
    }
    let desk = desk
    _ = self.confirmed
    for step in 1...60 {
      let response = [Response.added(step), .renamed("\(step)"), .loaded([step])].randomElement(
        using: &random)
      guard let response else { continue }
      let index = pending.indices.randomElement(using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        let (number, isExpected) = (unsafe desk.pending.nextNumber(), Bool.random(using: &random))
        show(response, of: .load, for: number, isExpected: isExpected)
        pending.append((number, response, isExpected))
      case 2, 3:
        guard let index, pending[index].isExpected else { continue }
        let first = pending.remove(at: index)
        let isConfirmed = desk.confirm(first.commit, in: knot, on: self)
        try hold(isConfirmed, "step \(step): nothing was confirmed")
        answer(first.response)
      case 4:
        guard let index else { continue }
        let number = pending.remove(at: index).commit
        desk.settle(number, showing: 1, .response(response), in: knot, on: self) {
          mutate(&$0, response: response)
        }
        mutate(&confirmed, response: response)
      case 5:
        guard let index else { continue }
        let number = pending.remove(at: index).commit
        desk.withdraw(on: self) { $0.commit == number }
      case 6:
        edit(response)
        answer(response)
      default:
        if loads.count < 3, Bool.random(using: &random) {
          loads.append(Load(number: unsafe desk.pending.nextNumber()))
          unsafe desk.pending.beginLoad(loads[loads.count - 1].number)
        } else if let place = loads.indices.randomElement(using: &random) {
          let load = loads.remove(at: place)
          let edits = unsafe desk.pending.edits(since: load.number)
          desk.settle(load.number, showing: 0, .response(response), in: knot, on: self) {
            mutate(&$0, response: response)
            for edit in edits { edit(self, &$0) }
          }
          unsafe desk.pending.endLoad(load.number)
          mutate(&confirmed, response: response)
          for edit in load.edits { mutate(&confirmed, response: edit) }
        }
      }
      let shown = pending.reduce(into: confirmed) { mutate(&$0, response: $1.response) }
      try hold(state == shown, "step \(step): shown \(state), expected \(shown)")
      try hold(
        self.confirmed.state == confirmed,
        "step \(step): confirmed \(self.confirmed.state), expected \(confirmed)")
      try hold(pendingCount == pending.count, "step \(step): \(pendingCount) pending")
    }
  }
}
