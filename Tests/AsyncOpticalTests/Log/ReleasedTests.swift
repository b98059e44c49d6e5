@testable import AsyncOptical

/// The actions that a `deinit` may take while changes are pending.
@Suite(.timeLimit(.minutes(30))) struct ReleasedTests {
  private actor Total: StateActor {
    let knot = Knot(0)
  }

  /// A row that reads a holder, takes a lock and commits in its `deinit`.
  private final class Row: Sendable {
    let id: Int
    private let total: Total
    private let shelf: Shelf
    init(_ id: Int, _ total: Total, _ shelf: Shelf) {
      (self.id, self.total, self.shelf) = (id, total, shelf)
    }
    deinit {
      _ = (total.state, shelf.knot.state)
      let id = id
      Self.gone.withLock { _ = $0.insert(id) }
      shelf.assumeIsolated { $0.commit(.gone(id)) }
    }
    static let gone = Mutex<Set<Int>>([])
  }

  private actor Shelf: Opticle {
    struct State: Sendable { var rows: [Row] = [], gone: Set<Int> = [], touches = 0 }
    enum Request: Sendable { case add(Int, Gate), load(Gate), touch }
    enum Response: Sendable { case added(Row), loaded, gone(Int), touched }

    let knot = Knot(State())
    let total = Total()

    func dispatch(_ request: Request) async {
      switch request {
      case .add(let id, let gate):
        await commit(from: request, expecting: .added(Row(id, total, self))) {
          await gate.wait()
          throw Broken()
        }
      case .load(let gate):
        await load(from: request) {
          await gate.wait()
          return .loaded
        }
      case .touch: commit(.touched)
      }
    }
    func mutate(_ state: inout State, response: Response) {
      switch response {
      case .added(let row):
        if !state.rows.contains(where: { $0.id == row.id }) { state.rows.append(row) }
      case .loaded: state.touches += 100
      case .gone(let id): state.gone.insert(id)
      case .touched: state.touches += 1
      }
    }
    func recover(_ state: inout State, request: Request, error: any Error) {}
    var isAtRest: Bool { unsafe desk.log.isIdle }
  }

  @Test(
    "O15, S18: values that a step removes are released outside locks, once the log is consistent"
  )
  func released() async throws {
    let shelf = Shelf()
    let (gates, load) = ((0..<20).map { _ in Gate() }, Gate())
    shelf.send(.load(load))
    await load.hasArrived(1)
    for (id, gate) in gates.enumerated() { shelf.send(.add(id, gate)) }
    for gate in gates { await gate.hasArrived(1) }
    await shelf.perform(.touch)
    for gate in gates.reversed() { gate.open() }
    await waitWhile(await shelf.pendingCount > 0)
    await shelf.perform(.touch)
    load.open()
    await waitWhile(await !shelf.isAtRest)
    await waitWhile(shelf.state.gone.count < 20)
    #expect(shelf.state.gone == Set(0..<20) && shelf.state.rows.isEmpty)
    #expect(shelf.state.touches == 102)
  }

  @Test("O15, S18: reading an opticle under a lock that a deinit also takes does not deadlock")
  func noDeadlock() async {
    let shelf = Shelf()
    let isOver = Shared(false)
    await withDiscardingTaskGroup { group in
      group.addTask {
        while !isOver.value {
          Row.gone.withLock { _ in _ = shelf.knot.version }
          await Task.yield()
        }
      }
      for round in 0..<200 {
        let gate = Gate()
        shelf.send(.add(1_000 + round, gate))
        await gate.hasArrived(1)
        await shelf.perform(.touch)
        gate.open()
      }
      await waitWhile(await shelf.pendingCount > 0)
      isOver.value = true
    }
    #expect(shelf.state.touches == 200)
  }

  private actor Notes: Opticle {
    typealias Request = Work<Notes>
    typealias Response = Change<[String]>
    let knot = Knot<[String]>([])
  }

  private actor Line: Knotable {
    struct State: KnotState { static func defaultState() -> Self { Self() } }
    let knot = Knot<State>()
    func update(_ state: State) {}
  }

  @Test("S18, S11: a value that a reducer releases is released outside the lock of the log's steps")
  func outsideTheSteps() async {
    let (notes, line, bag, gate) = (Notes(), Line(), TaskBag(), Gate())
    let isLocked = Log<Bool>()
    notes.send(
      Work(expecting: { $0 = ["pending"] }) { _ in
        await gate.wait()
      } recover: { _, _ in
      })
    await gate.hasArrived(1)
    _ = await notes.confirmed
    func observe(_ last: Farewell) async { await line.observe(in: bag) { _, _ in _ = last } }
    await observe(Farewell { isLocked.append(notes.desk.steps.isOwn) })
    await notes.perform(
      Work {
        $0.commit {
          $0.append("note")
          bag.cancel()
        }
      })
    #expect(isLocked.all == [false])
    gate.open()
  }

  @Test(
    "OR13, O7, O8: a write by the deinit of a value that a commit releases follows that commit",
    arguments: [false, true])
  func writesOfADeinit(readsConfirmed: Bool) async {
    let (notes, line, bag) = (Notes(), Line(), TaskBag())
    if readsConfirmed { _ = await notes.confirmed }
    let history = UndoHistory(of: notes, restoring: \.self)
    let recorder = Recorder(notes.transitions)
    func observe(_ last: Farewell) async { await line.observe(in: bag) { _, _ in _ = last } }
    await observe(
      Farewell { [weak notes] in
        notes?.assumeIsolated { $0.commit { $0.append("second") } }
      })
    await notes.commit {
      $0.append("first")
      bag.cancel()
    }
    let seen = await recorder.wait(for: 2)
    #expect(seen.map(\.before) == [[], ["first"]])
    #expect(seen.map(\.after) == [["first"], ["first", "second"]])
    await notes.undo(history)
    #expect(notes.state == ["first"])
  }
}
