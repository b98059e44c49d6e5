import AsyncKnot
import AsyncKnotTesting
import AsyncOptical
import TestSupport
import Testing

@Suite struct TransitionTests {
  @Test("O7: transitions give cause, state before and state after, in order")
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
      case .failure(let request, let error): "failure \(request.id) \(error)"
      case .reduced: "reduced"
      case nil: "restored"
      }
    }
    #expect(causes == ["response 1", "failure 2 Broken()", "restored"])
  }

  @Test("O7: what an operator reduces is a transition, too")
  func operators() async {
    func record() async -> Recorder<Transition<CommitCause<Worker.Request, Int>, Worker.State>> {
      let worker = Worker()
      let recorder = Recorder(worker.transitions)
      let events = EventChannel<Int>()
      let numbers = events.subscribe()
      events.send(1)
      events.finish()
      await numbers.pipe(to: worker) { number, state in state.done.append(number) }
      await worker.reduce { $0.done.append(2) }
      return recorder
    }
    let seen = await record().waitForEnd()
    let areReduced = seen.allSatisfy { if case .reduced = $0.cause { true } else { false } }
    #expect(areReduced)
    #expect(seen.map(\.after.done) == [[1], [1, 2]])
  }

  @Test("O7: without a listener no state is copied")
  func free() async {
    /// Its array is copied by the next append where anybody else holds it.
    actor Buffer: Opticle {
      let knot = Knot([Int](repeating: 0, count: 1_000))
      private(set) var addresses: Set<UInt> = []
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

  @Test("a transition prints its cause and what differs")
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

  @Test("a difference names the path of each property that changed")
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
}
