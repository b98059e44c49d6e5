@Suite struct CommitTests {
  @Test("OR1: an observer sees the state after each commit and after a restore")
  func observed() async {
    let worker = Worker()
    let states = Recorder(worker.states(buffering: .unbounded))
    await states.wait(for: 1)
    await worker.commit(1)
    await worker.commit(2)
    await worker.restore(.init())
    let seen = await states.wait(for: 4)
    #expect(seen.map(\.done) == [[], [1], [1, 2], []])
  }

  @Test(
    "OR4, OR6, O2: an error in any kind of commit calls recover unless it is a cancellation, and later requests still run"
  )
  func recovers() async {
    let worker = Worker()
    await worker.commit(error: Broken(), from: .init(id: 1))
    await worker.commit(from: .init(id: 2)) { throw Broken() }
    await worker.commit(error: CancellationError(), from: .init(id: 3))
    await worker.dispatch(.init(id: 4))
    #expect(worker.state == .init(done: [4], failed: [1, 2]))
  }

  @Test("OR2, O4: an awaited dispatch that is cancelled commits nothing")
  func cancelledDispatch() async {
    let worker = Worker()
    let gate = Gate()
    let task = Task { await worker.dispatch(.init(id: 1, work: { await gate.wait() })) }
    task.cancel()
    gate.open()
    await task.value
    #expect(worker.cancelled.all == [1])
    #expect(worker.state == .init())
  }
}
