import AsyncKnot
import AsyncKnotTesting
@testable import AsyncOptical
import TestSupport
import Testing

@Suite struct UndoTests {
  @Test("Steps beyond the limit are discarded")
  func limit() async {
    let worker = Worker()
    let history = UndoHistory(of: worker, restoring: \.self, limit: 2)
    for id in 1...5 {
      await worker.commit(id)
      #expect(history.state.undoCount == min(id, 2))
    }
    while await worker.undo(history) {}
    #expect(worker.state.done == [1, 2, 3])
  }

  #if os(macOS) || os(Linux)
    @Test("O8: a history without room for a step traps with a message that names the limit")
    func noRoom() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        _ = UndoHistory(of: Worker(), restoring: \.self, limit: 0)
      }
      #expect(result.says("UndoHistory(limit:): needs room for at least 1 step; got 0"))
    }
  #endif

  @Test("O12: observers of a history get its last counts, and the counts match its steps")
  func counts() async {
    await exploreContract(seeds: 2_000) {
      let worker = Worker()
      let history = UndoHistory(of: worker, restoring: \.self)
      let counts = Recorder(history.states)
      let buffered = Recorder(history.states(buffering: .unbounded))
      await withDiscardingTaskGroup { group in
        group.addTask { for id in 1...2 { await worker.commit(id) } }
        group.addTask { await worker.clear(history) }
        group.addTask { await worker.undo(history) }
      }
      await untilIdle()
      let told = counts.elements.last
      try hold(told == history.state, "\(String(describing: told)), not \(history.state)")
      let last = buffered.elements.last
      try hold(last == history.state, "buffered \(buffered.elements), not \(history.state)")
      var undone = 0
      while await worker.undo(history) { undone += 1 }
      try hold(undone == told?.undoCount, "\(undone) undone, not \(String(describing: told))")
      sometimes("two steps stay", undone == 2)
      sometimes("one step can be redone", told?.redoCount == 1)
    }
  }

  @Test("O8, O12: an undo within a trace handler undoes the traced change, which can be redone")
  func undoWhileTraced() async {
    let (worker, bag, isDone) = (Worker(), TaskBag(), Shared(false))
    let history = UndoHistory(of: worker, restoring: \.self)
    for id in 1...2 { await worker.commit(id) }
    worker.trace(in: bag) { [weak worker] event in
      guard case .changed = event.kind, !isDone.value else { return }
      isDone.value = true
      worker?.assumeIsolated { _ = $0.undo(history) }
    }
    await worker.commit(3)
    #expect(worker.state.done == [1, 2])
    #expect(history.state.undoCount == 2 && history.state.redoCount == 1)
    #expect(await worker.redo(history))
    #expect(worker.state.done == [1, 2, 3])
  }

  @Test("O8: a clear within a trace handler also removes the traced step")
  func clearWhileTraced() async {
    let (worker, bag) = (Worker(), TaskBag())
    let history = UndoHistory(of: worker, restoring: \.self)
    worker.trace(in: bag) { [weak worker] event in
      if case .changed = event.kind { worker?.assumeIsolated { $0.clear(history) } }
    }
    await worker.commit(1)
    #expect(history.state.undoCount == 0)
  }

  @Test("O7, O8: undo and redo move backward and forward in a list of states", arguments: 0..<50)
  func oracle(seed: Int) async {
    var random = SeededGenerator(seed: UInt64(seed))
    let counter = Counter()
    let history = UndoHistory(of: counter, restoring: \.count)
    var (states, position) = ([0], 0)
    for step in 1...60 {
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        await counter.accept(.added(step))
        states = states[...position] + [states[position] + step]
        position += 1
      case 1:
        #expect(await counter.undo(history) == (position > 0))
        position = max(0, position - 1)
      default:
        #expect(await counter.redo(history) == (position < states.count - 1))
        position = min(states.count - 1, position + 1)
      }
      #expect(counter.state.count == states[position])
    }
  }

  @Test(
    "O8: a history keeps its steps however many commits are not steps, and a redo never overwrites newer edits"
  )
  func onlyStepsCount() async {
    for others in [0, 99, 100, 101, 1_000] {
      let worker = Worker()
      let history = UndoHistory(of: worker, restoring: \.done, limit: 5) { cause in
        if case .response(let id) = cause { id < 10 } else { false }
      }
      for id in 1...5 { await worker.commit(id) }
      for _ in 0..<others { await worker.commit(10) }
      #expect(history.state.undoCount == 5)
      #expect(await worker.undo(history))
      #expect(worker.state.done == [1, 2, 3, 4])
      for _ in 0..<others { await worker.commit(10) }
      await worker.commit(7)
      let edited = worker.state
      #expect(await worker.redo(history) == false)
      #expect(worker.state == edited)
    }
  }

  @Test(
    "O18: an unchanged part with a NaN makes no step, and undo skips a step that changes nothing"
  )
  func notANumber() async {
    actor Sketch: Opticle {
      struct Camera: Sendable, Equatable, CustomStringConvertible {
        var zoom = Double.nan
        var angle = 0
        var description: String { "a camera" }
      }
      struct State: Sendable {
        var camera = Camera()
        var title = 0
      }
      let knot = Knot(State())
      func dispatch(_ request: Int) async {}
      func mutate(_ state: inout State, response: Int) {
        if response < 0 { state.title = response } else { state.camera.angle = response }
      }
      func recover(_ state: inout State, request: Int, error: any Error) {}
    }
    let sketch = Sketch()
    let history = UndoHistory(of: sketch, restoring: \.camera)
    for title in [-1, -2] { await sketch.commit(title) }
    #expect(history.state.undoCount == 0)
    let old = sketch.state
    await sketch.commit(1)
    #expect(history.state.undoCount == 1, "a change beside a NaN is a step")
    await sketch.restore(old)
    #expect(await !sketch.undo(history), "the step would change nothing")
    #expect(history.state.undoCount == 0 && history.state.redoCount == 0)
  }

  @Test("O8: the predicate may read the history")
  func predicateReads() async {
    let (worker, place, counts) = (Worker(), Shared<UndoHistory<Worker>?>(nil), Log<Int>())
    let history = UndoHistory(of: worker, restoring: \.done) { _ in
      counts.append(place.value?.state.undoCount ?? -1)
      return true
    }
    place.value = history
    for id in 1...3 { await worker.commit(id) }
    #expect(counts.all == [0, 1, 2])
    #expect(history.state.undoCount == 3)
    place.value = nil
  }

  @Test("O18: a predicate that undoes the step with a newer history takes back only that step")
  func predicateUndoes() async {
    let (worker, newer) = (Worker(), Shared<UndoHistory<Worker>?>(nil))
    let older = UndoHistory(of: worker, restoring: \.self) { [weak worker] _ in
      if let newer = newer.value, worker?.state.done.last == 3 {
        worker?.assumeIsolated { _ = $0.undo(newer) }
      }
      return true
    }
    newer.value = UndoHistory(of: worker, restoring: \.self)
    for id in 1...3 { await worker.commit(id) }
    #expect(worker.state.done == [1, 2])
    #expect(newer.value?.state.undoCount == 2 && newer.value?.state.redoCount == 1)
    #expect(older.state.undoCount == 3)
    newer.value = nil
  }

  @Test(
    "O8, OR13: a commit in the predicate is the step after the one that is being judged")
  func predicateCommits() async {
    let worker = Worker()
    let history = UndoHistory(of: worker, restoring: \.self) { [weak worker] _ in
      if worker?.state.done == [1] { worker?.assumeIsolated { $0.commit(2) } }
      return true
    }
    await worker.commit(1)
    for done in [[1], []] {
      await worker.undo(history)
      #expect(worker.state.done == done)
    }
  }

  @Test("O7, O8: listeners that a trace handler creates do not receive the traced change")
  func createdWhileTraced() async {
    let (worker, bag) = (Worker(), TaskBag())
    let created = Shared<
      (UndoHistory<Worker>, Recorder<Transition<Worker.ChangeCause, Worker.State>>)?
    >(nil)
    worker.trace(in: bag) { [weak worker] event in
      guard case .changed = event.kind, created.value == nil, let worker else { return }
      created.value = (UndoHistory(of: worker, restoring: \.self), Recorder(worker.transitions))
    }
    await worker.commit(1)
    let count = created.value?.0.state.undoCount
    #expect(count == 0)
    await worker.commit(2)
    let told = await created.value?.1.wait(for: 1).map(\.after.done)
    #expect(told == [[1, 2]])
    #expect(created.value?.0.state.undoCount == 1)
    created.value = nil
  }

  @Test("O4: a superseded dispatch undoes nothing")
  func superseded() async {
    let (worker, gate) = (Worker(), Gate())
    let history = UndoHistory(of: worker, restoring: \.done)
    await worker.commit(1)
    worker.send(2, .latest(0)) {
      await gate.wait()
      await worker.undo(history)
    }
    await waitWhile(worker.started.all.isEmpty)
    worker.send(3, .latest(0))
    await waitWhile(worker.state.done != [1, 3])
    gate.open()
    await waitWhile(worker.ended.all.count < 2)
    #expect(worker.state.done == [1, 3])
    #expect(history.state.undoCount == 2)
  }

  #if os(macOS) || os(Linux)
    @Test("O8: using the history of another holder traps", arguments: ["undo(_:)", "clear(_:)"])
    func historyOfAnother(call: String) async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [call] in
        let history = UndoHistory(of: Worker(), restoring: \.done)
        if call == "undo(_:)" {
          await Worker().undo(history)
        } else {
          await Worker().clear(history)
        }
      }
      #expect(
        result.says("\(call): needs a history of this Worker; got the history of another Worker"))
    }
  #endif

  @Test("O18: an error that is passed to commit(error:from:) is not a step")
  func committedError() async {
    let worker = Worker()
    let history = UndoHistory(of: worker, restoring: \.self)
    await worker.commit(error: Broken(), from: Worker.Request(id: 1))
    #expect(worker.state.failed == [1] && history.state.undoCount == 0)
  }

  @Test("O8: a step beyond the limit is released")
  func forgottenSteps() {
    final class Part: Sendable {}
    var steps = UndoSteps<Part>(limit: 3)
    weak var first: Part?
    do {
      let part = Part()
      first = part
      _ = steps.record(part)
    }
    for _ in 0..<2 { _ = steps.record(Part()) }
    #expect(first != nil)
    _ = steps.record(Part())
    #expect(first == nil && steps.undoCount == 3)
  }

  @Test("Causes and transitions are equal if their parts are equal")
  func equatable() {
    typealias Cause = CommitCause<Int, String>
    #expect(Cause.failure(1, Broken()) == .failure(1, Broken()))
    #expect(Cause.failure(1, Broken()) != .failure(1, CancellationError()))
    #expect(Cause.failure(1, Broken()) != .failure(2, Broken()))
    #expect(Cause.response("a") != .expected("a"))
    #expect(Cause.loaded("a") == .loaded("a") && Cause.loaded("a") != .loaded("b"))
    #expect(
      Transition(cause: Cause.withdrawn(3), before: 1, after: 2)
        == .init(cause: .withdrawn(3), before: 1, after: 2))
    #expect(
      Transition(cause: Cause.withdrawn(3), before: 1, after: 2)
        != .init(cause: nil, before: 1, after: 2))
    #expect(TimeoutError(limit: .seconds(1)) == TimeoutError(limit: .seconds(1)))
  }

  @Test("O12: undo and restore return whether they restored, even if their dispatch is cancelled")
  func answered() async {
    let faults = Log<String>()
    for round in 0..<(isSanitized ? 50 : 300) {
      let editor = Onsite()
      let history = UndoHistory(of: editor, restoring: \.self)
      let begun = Shared(false)
      let ended = Shared(false)
      editor.send(round) { editor in
        begun.value = true
        for id in 0..<500 where !Task.isCancelled {
          editor.commit(id)
          let (before, steps) = (editor.state, history.state.undoCount)
          let isUndone = editor.undo(history)
          if isUndone != (editor.state != before) || isUndone != (history.state.undoCount < steps) {
            faults.append("undo said \(isUndone)")
          }
          let isRestored = editor.restore([-1 - id])
          if isRestored != (editor.state == [-1 - id]) {
            faults.append("restore said \(isRestored)")
          }
        }
        ended.value = true
      }
      await waitWhile(!begun.value)
      for _ in 0..<(round * 7 % 1_000) { _ = ended.value }
      editor.knot.bag.cancel()
      await waitWhile(!ended.value)
    }
    #expect(faults.all == [])
  }

  @Test(
    "O12, O8: if cancel(id) stops an undo, a redo or a restore, the call returns false, and the step is kept"
  )
  func answeredDespiteCancel() async {
    await exploreContract(seeds: 4_000) {
      let (editor, faults) = (Onsite(), Log<String>())
      let history = UndoHistory(of: editor, restoring: \.self)
      for id in 1...3 { editor.send(id) }
      await untilIdle()
      await editor.undo(history)
      editor.send(4, .serial("x")) { editor in
        let calls: [(String, (isolated Onsite) -> Bool)] = [
          ("undo", { $0.undo(history) }), ("redo", { $0.redo(history) }),
          ("restore", { $0.restore([9]) }),
        ]
        for (name, call) in calls {
          let (before, counts) = (editor.state, history.state)
          let isRestored = call(editor)
          if isRestored != (editor.state != before) { faults.append("\(name) said \(isRestored)") }
          if isRestored != (history.state != counts), name != "restore" {
            faults.append("\(name) said \(isRestored); \(counts) became \(history.state)")
          }
        }
      }
      let cancellation = Task { editor.cancel("x") }
      await cancellation.value
      await untilIdle()
      try hold(faults.all == [], "\(faults.all)")
    }
  }
}
