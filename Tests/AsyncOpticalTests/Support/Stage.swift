/// An opticle or a binder whose messages contain their policy and their work.
protocol Stage: Dispatcher
where Dispatched == StageMessage<Self>, PolicyClock == any Clock<Duration> {
  init(_ mailboxPolicy: MailboxPolicy, clock: any Clock<Duration>)
  /// Adds a message's identifier to the state, as the last step of the message.
  func finish(_ id: Int)
}

struct StageMessage<Holder: Dispatcher>: Sendable {
  let id: Int
  let policy: DispatchPolicy
  let work: @Sendable (isolated Holder) async -> Void
}

extension Stage {
  nonisolated func policy(for message: StageMessage<Self>) -> DispatchPolicy { message.policy }

  nonisolated func send(
    _ id: Int, _ policy: DispatchPolicy = .concurrent,
    _ work: @escaping @Sendable (isolated Self) async -> Void = { _ in }
  ) {
    send(StageMessage(id: id, policy: policy, work: work))
  }
}

actor OpticleStage: Stage, Opticle {
  let knot = Knot<[Int]>([])
  let mailboxPolicy: MailboxPolicy
  let clock: any Clock<Duration>

  init(_ mailboxPolicy: MailboxPolicy, clock: any Clock<Duration>) {
    (self.mailboxPolicy, self.clock) = (mailboxPolicy, clock)
  }

  func dispatch(_ request: StageMessage<OpticleStage>) async {
    await request.work(self)
    finish(request.id)
  }
  func finish(_ id: Int) { commit(id) }
  func mutate(_ state: inout [Int], response: Int) { state.append(response) }
  func recover(_ state: inout [Int], request: StageMessage<OpticleStage>, error: any Error) {}
}

actor BinderStage: Stage, ViewBindable {
  typealias Command = StageMessage<BinderStage>
  typealias Action = Int
  let knot = Knot<[Int]>([])
  let mailboxPolicy: MailboxPolicy
  let clock: any Clock<Duration>

  init(_ mailboxPolicy: MailboxPolicy, clock: any Clock<Duration>) {
    (self.mailboxPolicy, self.clock) = (mailboxPolicy, clock)
  }

  func binding(command: StageMessage<BinderStage>) async {
    await command.work(self)
    finish(command.id)
  }
  func finish(_ id: Int) { accept(id) }
  func reduce(_ action: Int, into state: inout [Int]) { state.append(action) }
}
