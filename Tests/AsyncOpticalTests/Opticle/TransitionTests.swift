@testable import AsyncOptical

@Suite struct TransitionTests {
  @Test("O7: transitions deliver the cause, the old state and the new state, in order")
  func transitions() async {
    let worker = Worker()
    await worker.commit(0)
    let recorder = Recorder(worker.transitions)
    await worker.commit(1)
    await worker.commit(error: Broken(), from: .init(id: 2))
    await worker.restore(.init())
    let seen = await recorder.wait(for: 3)
    #expect(seen.map(\.before.done) == [[0], [0, 1], [0, 1]])
    #expect(seen.map(\.after.failed) == [[], [2], []])
    let causes = seen.map { transition in
      switch transition.cause {
      case .response(let id): "response \(id)"
      case .loaded(let id): "loaded \(id)"
      case .failure(let request, let error): "failure \(request.id) \(error)"
      case .expected(let id): "expected \(id)"
      case .withdrawn(let request): "withdrawn \(request.id)"
      case nil: "restored"
      }
    }
    #expect(causes == ["response 1", "failure 2 Broken()", "restored"])
  }

  @Test("O7: without a subscriber, no state is copied")
  func free() async {
    /// An opticle whose next write copies the array if anything else references it.
    actor Buffer: Opticle {
      let knot = Knot([Int](repeating: 0, count: 1_000))
      private(set) var addresses: Set<UInt> = []
      func forgetAddresses() { addresses = [] }
      func dispatch(_ request: Int) async { commit(request) }
      func mutate(_ state: inout [Int], response: Int) {
        state[0] = response
        state.withUnsafeBytes { bytes in
          _ = addresses.insert(UInt(bitPattern: bytes.baseAddress))
        }
      }
      func recover(_ state: inout [Int], request: Int, error: any Error) {}
    }
    let buffer = Buffer()
    for id in 0..<10 { await buffer.dispatch(id) }
    #expect(await buffer.addresses.count == 1)
    let transitions = buffer.transitions
    await buffer.dispatch(10)
    #expect(await buffer.addresses.count == 2)
    withExtendedLifetime(transitions) {}
    do { _ = consume transitions }
    // This commit finds that the subscriber has ended.
    await buffer.dispatch(11)
    await buffer.forgetAddresses()
    for id in 12..<20 { await buffer.dispatch(id) }
    #expect(await buffer.addresses.count == 1)
  }

  @Test("O7: transitions end with the opticle")
  func ends() async {
    var worker: Worker? = Worker()
    let states = worker?.states
    let recorder = worker.map { Recorder($0.transitions) }
    await worker?.commit(1)
    worker = nil
    let seen = await recorder?.waitForEnd()
    #expect(seen?.map(\.after.done) == [[1]])
    withExtendedLifetime(states) {}
  }

  @Test(
    "O7: dropped histories and sequences do not pile up, and the remaining histories are called in order"
  )
  func droppedListeners() async {
    let (worker, heard) = (Worker(), Log<Int>())
    func dropMany() {
      for _ in 0..<1_000 {
        _ = UndoHistory(of: worker, restoring: \.done)
        _ = worker.transitions
      }
    }
    func count() -> Int { worker.desk.listeners.withLock { $0.all.count } }
    dropMany()
    #expect(count() <= 16)
    let histories = (0..<40).map { index in
      UndoHistory(of: worker, restoring: \.done) { _ in
        heard.append(index)
        return true
      }
    }
    dropMany()
    #expect(count() <= 2 * 40 + 1)
    await worker.commit(1)
    #expect(heard.all == Array(0..<40))
    #expect(count() == 40)
    withExtendedLifetime(histories) {}
  }

  @Test(
    "OR13, O7: all subscribers receive a transition before any transition that one of them causes")
  func nested() async {
    let worker = Worker()
    let histories = [1, 10].map { cause in
      UndoHistory(of: worker, restoring: \.done) { transition in
        if case .response(cause) = transition { worker.assumeIsolated { $0.commit(cause * 10) } }
        return true
      }
    }
    let recorder = Recorder(worker.transitions)
    await worker.commit(1)
    await worker.commit(2)
    let seen = await recorder.wait(for: 4)
    #expect(seen.map(\.before.done) == [[], [1], [1, 10], [1, 10, 100]])
    #expect(seen.map(\.after.done.last) == [1, 10, 100, 2])
    for history in histories {
      #expect(history.state.undoCount == 4)
      while await worker.undo(history) {}
      #expect(worker.state == .init())
      await worker.restore(.init(done: [1, 10, 100, 2]))
    }
  }

  @Test("A transition prints its cause and the difference between its states")
  func description() {
    let transition = Transition<CommitCause<String, Int>, Worker.State>(
      cause: .response(3), before: .init(done: [1, 2]), after: .init(done: [1, 4, 5], failed: [9]))
    #expect(
      transition.description == """
        response(3)
          done[1]: 2 → 4
          done[2]: added 5
          failed[0]: added 9
        """)
  }

  @Test("A difference names the path of each property that changed")
  func difference() {
    struct Item: Equatable, Sendable { var title: String, note: String? }
    struct Page: Sendable { var items: [Item], total: Int }
    let old = Page(items: [Item(title: "a", note: nil), Item(title: "b", note: "n")], total: 2)
    var new = old
    new.items[0].title = "z"
    new.items[1].note = nil
    #expect(
      StateDifference(from: old, to: new).lines == [
        #"items[0].title: "a" → "z""#, #"items[1].note: "n" → nil"#,
      ])
    #expect(StateDifference(from: 1, to: 2).description == "1 → 2")
    #expect(StateDifference(from: old, to: old).lines.isEmpty)
  }

  @Test("A difference names the keys and members that changed, in ascending order")
  func keys() {
    #expect(
      StateDifference(from: [10: "a", 2: "b", 3: "c"], to: [10: "z", 2: "y", 4: "d"]).lines == [
        #"[2]: "b" → "y""#, #"[3]: removed "c""#, #"[4]: added "d""#, #"[10]: "a" → "z""#,
      ])
    #expect(
      StateDifference(from: ["a": [1, 2], "b": [3]], to: ["a": [1, 5], "b": [3]]).lines
        == [#"["a"][1]: 2 → 5"#])
    #expect(
      StateDifference(from: Set(["a", "b"]), to: Set(["b", "c", "d"])).lines == [
        #"removed "a""#, #"added "c""#, #"added "d""#,
      ])
    #expect(StateDifference(from: ["a": Double.nan], to: ["a": Double.nan]).lines.isEmpty)
  }

  @Test("Unequal values whose visible parts are equal have a difference")
  func hiddenPart() {
    struct Ranked: Equatable, CustomReflectable, CustomStringConvertible {
      var names: [String]
      var rank = 0
      var description: String { "\(names)" }
      var customMirror: Mirror { Mirror(self, children: ["names": Set(names)]) }
    }
    #expect(
      StateDifference(from: Ranked(names: ["a", "b"]), to: Ranked(names: ["b", "a"])).lines
        == [#"["a", "b"] → ["b", "a"]"#])
    #expect(
      StateDifference(from: [Ranked(names: ["a"])], to: [Ranked(names: ["a"], rank: 1)]).lines
        == [#"[0]: ["a"], which differs from the old value although it prints the same"#])
    #expect(areSame(["a": [Double.nan]], ["a": [Double.nan]]))
    #expect(!areSame(Ranked(names: ["a"]), Ranked(names: ["a"], rank: 1)))
  }
}
