import AsyncKnot
import AsyncKnotTesting
import Testing

@Suite struct MailboxTests {
  actor Receiver {
    nonisolated let mailbox = Mailbox<Int>()
    var started: [Int] = []
    var finished: [Int] = []
    let gate = EventChannel<Void>()

    nonisolated func send(_ message: Int) {
      mailbox.send(message, to: self, by: Handled { await $0.handle($1) })
    }

    private func handle(_ message: Int) async {
      started.append(message)
      if message.isMultiple(of: 7) { await Task.yield() }
      finished.append(message)
    }
  }

  @Test("M1: 100,000 messages are handled in the order sent, and none is lost")
  func order() async {
    let receiver = Receiver()
    for message in 0..<100_000 { receiver.send(message) }
    while await receiver.finished.count < 100_000 { await Task.yield() }
    let isOrdered = await receiver.started == Array(0..<100_000)
    #expect(isOrdered)
    let isComplete = await Set(receiver.finished).count == 100_000
    #expect(isComplete)
  }

  @Test("M1: a handler that suspends for ever does not hold up the ones after it")
  func suspendedHandler() async {
    actor Stuck {
      nonisolated let mailbox = Mailbox<Int>()
      let gate = EventChannel<Int>()
      let started = EventChannel<Int>()
      nonisolated func send(_ message: Int) {
        let handled = Handled { (stuck: isolated Stuck, message: Int) in
          let events = stuck.gate.subscribe()
          stuck.started.send(message)
          for await _ in events { return }
        }
        mailbox.send(message, to: self, by: handled)
      }
    }
    let stuck = Stuck()
    let started = Recorder(stuck.started.subscribe())
    for message in 0..<100 { stuck.send(message) }
    #expect(await started.wait(for: 100) == Array(0..<100))
    stuck.gate.finish()
  }

  @Test("M1: messages that wait do not keep the actor alive before a runner has started")
  func waitingMessages() async {
    func probe() -> LifetimeProbe {
      let receiver = Receiver()
      receiver.send(1)
      return LifetimeProbe(receiver)
    }
    await probe().expectReleased()
  }
}
