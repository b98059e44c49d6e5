/// An opticle whose requests run on the actor from their first step.
///
/// If a request does not suspend, its runner also handles the next one.
actor Onsite: Opticle {
  struct Request: Sendable {
    var id: Int
    var policy: DispatchPolicy
    var work: @Sendable (isolated Onsite) async -> Void
  }

  let knot = Knot<[Int]>([])
  let clock: any Clock<Duration>
  let mailboxPolicy: MailboxPolicy
  let started = Log<Int>()

  init(_ mailboxPolicy: MailboxPolicy = .unbounded, clock: any Clock<Duration> = ContinuousClock())
  {
    self.mailboxPolicy = mailboxPolicy
    self.clock = clock
  }

  nonisolated func policy(for request: Request) -> DispatchPolicy { request.policy }

  func dispatch(_ request: Request) async {
    started.append(request.id)
    await request.work(self)
    commit(request.id)
  }

  func mutate(_ state: inout [Int], response: Int) { state.append(response) }
  func recover(_ state: inout [Int], request: Request, error: any Error) {}

  nonisolated func send(
    _ id: Int, _ policy: DispatchPolicy = .concurrent,
    _ work: @escaping @Sendable (isolated Onsite) async -> Void = { _ in }
  ) {
    send(Request(id: id, policy: policy, work: work))
  }
}
