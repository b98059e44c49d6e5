/// O15 in thousands of schedules.
@Suite struct PendingExploredTests {
  @Test("O15: a row that is shown stays, whatever loads return")
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

  @Test("O15: of two loads, two writes and an edit, only the refused change is removed")
  func manyAtOnce() async {
    await exploreContract {
      let board = Board(BoardServer([0], refusing: [2]))
      await withDiscardingTaskGroup { group in
        for request: Board.Request in [.load, .add(1), .add(2), .load, .rename("a")] {
          group.addTask { await board.dispatch(request) }
        }
      }
      try await board.holdSettled()
      try hold(Set(board.state.rows) == [0, 1], "\(board.state)")
      try hold(board.state.failed == [.add(2)], "\(board.state)")
    }
  }

  @Test("O15: a load does not remove an edit that is made while it runs")
  func editDuringALoad() async {
    await exploreContract(seeds: 2_000, every: .schedule) {
      let board = Board()
      async let load: Void = board.dispatch(.loadSlowly)
      for await state in board.states where state.isLoading { break }
      async let other: Void = board.dispatch(.load)
      await board.dispatch(.rename("a"))
      _ = await other
      await board.dispatch(.rename("b"))
      _ = await load
      try hold(board.state.title == "b", "\(board.state)")
      try await board.holdSettled()
      try hold(await board.isAtRest, "edits are kept without a load")
    }
  }

  @Test(
    "O15: all changes of a serial queue are shown immediately, and only the refused one is removed")
  func serialQueue() async {
    await exploreContract(seeds: 2_000) {
      let board = Board(BoardServer(refusing: [2]))
      for row in 1...3 { board.send(.queued(row)) }
      await board.perform(.rename("x"))
      if board.state.failed.isEmpty { try hold(board.state.rows == [1, 2, 3], "\(board.state)") }
      board.send(.forget(5))
      await board.perform(.queued(4))
      try hold(board.state.rows == [1, 3, 4], "\(board.state)")
      try hold(board.state.failed == [.queued(2)], "\(board.state)")
      try hold(await board.server.rows == [1, 3, 4], "the server has other rows")
      try await board.holdSettled()
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

  @Test("O15: when a full mailbox drops a request, its change is removed")
  func droppedFromTheQueue() async {
    await exploreContract(seeds: 2_000) {
      let board = Board(mailboxPolicy: .newest(2))
      for row in 1...5 {
        board.send(.queued(row))
        await Task.yield()
      }
      await untilIdle()
      let rows = await board.server.rows
      try hold(board.state.rows == rows, "\(board.state), the server has \(rows)")
      try await board.holdSettled()
      sometimes("one is dropped", board.droppedCount > 0)
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

  @Test("O15: a spinner is shown while one of two loads is in flight, and never afterwards")
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
    "O18: an undo restores its part over loads and pending changes, and keeps the rest"
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
