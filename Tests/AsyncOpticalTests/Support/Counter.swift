/// A binder that counts.
actor Counter: ViewBindable {
  enum Command: Sendable { case add(Int), wait(Gate, then: Int) }
  enum Action: Sendable { case added(Int) }
  struct State: Sendable, Equatable { var count = 0 }

  let knot = Knot(State())

  func binding(command: Command) async {
    switch command {
    case .add(let number): accept(.added(number))
    case .wait(let gate, let number):
      await gate.wait()
      accept(.added(number))
    }
  }

  func reduce(_ action: Action, into state: inout State) {
    switch action {
    case .added(let number): state.count += number
    }
  }

  nonisolated func policy(for command: Command) -> DispatchPolicy {
    if case .wait = command { .latest("wait") } else { .concurrent }
  }
}
