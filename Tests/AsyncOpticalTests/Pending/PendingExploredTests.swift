/// Pending changes (O15), over thousands of schedules.
@Suite struct PendingExploredTests {
  @Test("O15: a row that is shown stays, even if a load returns without it")
  func lateLoads() async {
    await exploreContract(every: .schedule) {
      let board = Board(BoardServer([0]))
      let shown = Log<[Int]>()
      let changes = board.transitions
      async let load: Void = board.dispatch(.load)
      async let add: Void = board.dispatch(.add(1))
      _ = await (load, add)
      await board.dispatch(.rename("end"))
      for await change in changes {
        shown.append(change.after.rows)
        if change.after.title == "end" { break }
      }
      try await board.holdSettled()
      try hold(Set(board.state.rows) == [0, 1], "\(board.state)")
      let rows = shown.all.drop { !$0.contains(1) }
      try hold(rows.allSatisfy { $0.contains(1) }, "the row disappeared: \(shown.all)")
    }
  }

  @Test("O15: the change of a superseded request is removed before the next one starts")
  func superseded() async {
    await exploreContract(seeds: 2_000, every: .scheduleWithPreemptions(1)) {
      let board = Board()
      let changes = board.transitions
      board.send(.hang(1))
      await board.perform(.rename("x"))
      try hold(board.state.rows == [1], "\(board.state)")
      try hold(await board.confirmed.state.rows == [], "confirmed without an answer")
      await board.perform(.only(2))
      try hold(board.state.rows == [2], "\(board.state)")
      try await board.holdSettled()
      var causes: [CommitCause<Board.Request, Board.Response>?] = []
      for await change in changes.prefix(5) { causes.append(change.cause) }
      try hold(
        causes == [
          .expected(.added(1)), .response(.renamed("x")), .withdrawn(.hang(1)),
          .expected(.added(2)), .response(.added(2)),
        ], "\(causes)")
    }
  }

  @Test("O15: cancel(id) removes the changes of messages in flight and in the queue")
  func cancelled() async {
    await exploreContract(seeds: 2_000) {
      let board = Board()
      board.send(.hang(1))
      for row in 2...4 { board.send(.queued(row)) }
      await board.perform(.rename("x"))
      board.cancel("only")
      board.cancel("queue")
      await board.perform(.rename("y"))
      try hold(!board.state.rows.contains(1), "\(board.state)")
      await untilIdle()
      try await board.holdSettled()
      try hold(board.state.failed.isEmpty, "\(board.state)")
    }
  }

  /// Shows the expected response to each request, and commits from the request in a task that outlives the dispatch.
  private actor Later: Opticle {
    let knot = Knot<[Int]>([])
    func expectation(for request: Int) -> Int? { request }
    func dispatch(_ request: Int) async {
      Task {
        await commit(from: request) {
          try await Task.sleep(for: .seconds(1))
          return request
        }
      }
    }
    func mutate(_ state: inout [Int], response: Int) {
      if !state.contains(response) { state.append(response) }
    }
    func recover(_ state: inout [Int], request: Int, error: any Error) {}
  }

  @Test("O15: a response is applied even if the dispatch of its request has ended")
  func answerAfterTheDispatch() async {
    await exploreContract(seeds: 500, allowing: [.noChoice]) {
      let later = Later()
      later.send(1)
      try await Task.sleep(for: .seconds(5))
      try hold(later.state == [1], "\(later.state)")
    }
  }

  @Test("O15: a cancelled caller leaves nothing pending")
  func cancelledCallers() async {
    await exploreCancelling {
      let board = Board()
      async let one: Void = board.dispatch(.hang(1))
      async let two: Void = board.dispatch(.add(2))
      async let three: Void = board.dispatch(.load)
      _ = await (one, two, three)
      try await board.holdSettled()
    }
  }

  @Test("O15: the spinner of two loads is never confirmed, and is gone after both have ended")
  func spinner() async {
    await exploreContract(seeds: 2_000, every: .schedule) {
      let board = Board()
      let confirmed = await board.confirmed.states(buffering: .unbounded)
      let watching = Task {
        var wasLoading = false
        for await state in confirmed { wasLoading = wasLoading || state.isLoading }
        return wasLoading
      }
      async let one: Void = board.dispatch(.load)
      async let two: Void = board.dispatch(.load)
      _ = await (one, two)
      try await board.holdSettled()
      await Task.yield()
      watching.cancel()
      try hold(await !watching.value, "a spinner was confirmed")
    }
  }

  @Test("O15, O8: an archive and a history follow the confirmed state")
  func followers() async {
    await exploreContract(seeds: 2_000) {
      let (memory, saving) = (Memory(), TaskBag())
      let archive = StateArchive<Board.State>(
        storage: memory, encode: { Array("\($0.rows)".utf8) }, decode: { _ in Board.State() })
      do {
        let board = Board()
        let history = UndoHistory(of: board, restoring: \.rows)
        archive.follow(await board.confirmed, in: saving) { Issue.record($0) }
        await board.dispatch(.add(1))
        board.send(.hang(2))
        await board.perform(.rename("x"))
        try hold(board.state.rows == [1, 2], "\(board.state)")
        try hold(history.state.undoCount == 1, "\(history.state.undoCount) steps")
        board.knot.bag.cancel()
      }
      await saving.wait()
      try hold(memory.text?.hasSuffix("\n[1]") == true, "\(memory.text ?? "")")
    }
  }

  @Test(
    "O18: an undo restores only its history's part, despite loads and pending changes"
  )
  func undoOfAPart() async {
    await exploreContract(seeds: 2_000) {
      let board = Board()
      let history = UndoHistory(of: board, restoring: \.rows)
      await board.dispatch(.add(1))
      await board.dispatch(.rename("kept"))
      await board.dispatch(.add(2))
      try hold(history.state.undoCount == 2, "\(history.state.undoCount) steps")
      board.send(.hang(9))
      await board.perform(.load)
      let isUndone = await board.undo(history)
      try hold(isUndone, "nothing was undone")
      try hold(board.state.rows == [1] && board.state.title == "loaded", "\(board.state)")
      board.cancel("only")
      await board.perform(.rename("still"))
      try hold(board.state.rows == [1], "\(board.state)")
      let isRedone = await board.redo(history)
      try hold(isRedone && board.state.rows == [1, 2], "\(board.state)")
      try hold(board.state.title == "still", "\(board.state)")
    }
  }
}
