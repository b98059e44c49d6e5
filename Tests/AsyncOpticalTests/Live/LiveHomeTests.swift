import AsyncKnot
import AsyncOptical
import TestSupport
import Testing

/// Where a handler's object and captures are released.
@Suite(.timeLimit(.minutes(30))) @MainActor struct LiveHomeTests {
  private let worker = Worker()
  private let gone = Log<Bool>()

  @Test("S17: the object of live(with:in:) is released on the main actor")
  func object() async {
    for round in 0..<200 {
      let bag = TaskBag()
      do {
        let label = Mortal(gone)
        worker.watch.live(with: label, in: bag) { _, _ in }
        async let committed: Void = worker.commit(round)
        await Task.yield()
        await committed
      }
      await waitWhile(gone.all.count <= round)
    }
    #expect(!gone.all.contains(false))
  }

  @Test(
    "S17: a main-actor handler's captures are released on the main actor, wherever the handler ends"
  )
  func captured() async {
    for round in 0..<200 {
      let entry: TaskBag.Entry
      do {
        let label = Mortal(gone)
        entry = worker.watch.live(in: worker.knot.bag) { _ in withExtendedLifetime(label) {} }
      }
      if round.isMultiple(of: 2) { await Task.yield() }
      await Task.detached { entry.cancel() }.value
      await waitWhile(gone.all.count <= round)
    }
    #expect(!gone.all.contains(false))
  }
}
