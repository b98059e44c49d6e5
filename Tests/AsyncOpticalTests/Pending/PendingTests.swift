import AsyncKnot
import AsyncKnotTesting
@testable import AsyncOptical
import TestSupport
import Testing

@Suite struct PendingTests {
  @Test("O15: a failure removes its change and calls recover in one step")
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

  @Test(
    "O15, O18: confirmed states and histories exclude a change that was pending when they began"
  )
  func beginsWhilePending() async {
    for isHistory in [false, true] {
      let board = Board()
      board.send(.hang(1))
      await waitWhile(board.state.rows.isEmpty)
      if isHistory {
        let history = UndoHistory(of: board, restoring: \.rows)
        await board.commit(.added(2))
        #expect(board.state.rows == [1, 2])
        await board.undo(history)
        #expect(board.state.rows == [])
      } else {
        #expect(await board.confirmed.state.rows == [])
      }
    }
  }

  @Test(
    "O15, O7: changes withdrawn in one step are reported separately, and the first report contains the entire difference"
  )
  func withdrawnTogether() async {
    await exploreContract(seeds: 6_000) {
      let board = Board()
      let changes = Recorder(board.transitions)
      for row in 1...3 {
        board.send(.queued(row))
        for _ in 0..<row { await Task.yield() }
      }
      board.cancel("queue")
      await board.perform(.rename("x"))
      await untilIdle()
      let seen = changes.elements
      let withdrawn = seen.filter { if case .withdrawn = $0.cause { true } else { false } }
      let shown = seen.count { if case .expected = $0.cause { true } else { false } }
      let answered = seen.count { if case .response(.added) = $0.cause { true } else { false } }
      try hold(withdrawn.count + answered == shown, "\(seen.map(\.cause))")
      let differ = withdrawn.count { $0.before != $0.after }
      // The operation in flight can end before the opticle handles the cancellation. In that case, the operation withdraws
      // its own change.
      let steps = min(1, withdrawn.count)...min(2, withdrawn.count)
      try hold(steps.contains(differ), "\(differ) of \(withdrawn.count) differ")
      sometimes("all three changes are withdrawn", withdrawn.count == 3)
      sometimes("the two waiting changes are withdrawn", withdrawn.count == 2)
    }
  }

  @Test("O15, O21: the trace reports each withdrawn change with its message")
  func withdrawnTogetherTraced() async {
    await exploreContract(seeds: 1_000) {
      let (board, bag, events) = (Board(), TaskBag(), Log<TraceEvent>())
      board.trace(in: bag) { events.append($0) }
      for row in 1...3 {
        board.send(.queued(row))
        for _ in 0..<row { await Task.yield() }
      }
      board.cancel("queue")
      await untilIdle()
      var counts: [String: Int] = [:]
      for event in events.all {
        counts[event.kind.name, default: 0] += 1
        guard case .changed(let cause, _, _) = event.kind,
          case .withdrawn(let request)? = cause as? Board.ChangeCause
        else { continue }
        try hold(event.message?.value as? Board.Request == request, "\(event) of \(request)")
      }
      let (withdrawn, shown) = (counts["changed: withdrawn"] ?? 0, counts["changed: expected"] ?? 0)
      try hold(withdrawn + (counts["changed: response"] ?? 0) == shown, "\(counts)")
      sometimes("several changes are withdrawn", withdrawn > 1)
    }
  }

  @Test("O15: after all changes are confirmed or withdrawn, writes are no longer logged")
  func logBecomesIdle() async {
    for request in [Board.Request.add(1), .add(2), .load, .forget(3), .queued(4)] {
      let board = Board(BoardServer(refusing: [2]))
      await board.perform(request)
      await board.perform(.rename("x"))
      let isLogged = await board.isLogged
      #expect(!isLogged, "\(request)")
    }
  }

  @Test("O15: the service's response replaces the expected response")
  func betterAnswer() async {
    let board = Board()
    let changes = Recorder(board.transitions)
    await board.dispatch(.addBetter(1))
    #expect(await changes.wait(for: 2).map(\.after.rows) == [[1], [101]])
  }

  @Test("O15: confirming 1,001 pending changes in order applies each at most six times on average")
  func linear() async {
    let board = Board()
    let gate = Gate()
    for row in 0..<1_000 { board.send(.queued(row)) }
    await board.perform(.queued(1_000))
    gate.open()
    #expect(board.state.rows.count == 1_001)
    // A release build applies each change twice: when it is shown and when it is confirmed.
    #expect(board.applied.value <= 2 * 1_001 * (isDebug ? 3 : 1))
  }

  @Test(
    "O15: while a spinner is shown, the first commit copies the state, and later ones change it in place"
  )
  func inPlace() async {
    actor Buffer: Opticle {
      struct State: Sendable {
        var rows = [Int](repeating: 0, count: 1_000)
        var isLoading = false
      }
      let knot = Knot(State())
      private(set) var addresses: Set<UInt> = []
      func dispatch(_ request: Int) async {
        await load(from: request, showing: -1) {
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
    await buffer.dispatch(0)
    #expect(await buffer.addresses.count == 2)
  }

  @Test("O18: a step that changes nothing is skipped, and clear(_:) removes all steps")
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
    await worker.clear(history)
    #expect(history.state.undoCount == 0)
    #expect(await !worker.undo(history))
    #expect(await !worker.redo(history))
  }

  #if DEBUG && (os(macOS) || os(Linux))
    @Test("O15: a response that changes the state when it is applied again is reported")
    func notRepeatable() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { await Worker().commit(from: .init(id: 3), expecting: 3) {} }
      #expect(result.says("Worker: applying 3 a second time changed the state again."))
    }
  #endif
}
