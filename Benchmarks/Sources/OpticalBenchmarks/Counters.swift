import AsyncKnot
import AsyncOptical

/// The state that every contender keeps, so that all of them do the same work for each command.
struct Count: Sendable { var value = 0 }

/// Reports when a number of commands has been handled, without observing each command.
struct Finish: Sendable {
  let total: Int
  private let end: AsyncStream<Never>.Continuation
  private let stream: AsyncStream<Never>

  init(at total: Int) {
    self.total = total
    (stream, end) = AsyncStream.makeStream(of: Never.self)
  }

  func count(_ number: Int, in state: inout Count) {
    state.value += number
    if state.value == total { end.finish() }
  }

  func wait() async { for await _ in stream {} }
}

/// An opticle that answers each request immediately.
actor CountingOpticle: Opticle {
  let knot = Knot(Count())
  let finish: Finish
  init(_ finish: Finish) { self.finish = finish }
  func dispatch(_ request: Int) async { commit(request) }
  func mutate(_ state: inout Count, response: Int) { finish.count(response, in: &state) }
  func recover(_ state: inout Count, request: Int, error: any Error) {}
}

/// An opticle that answers each request immediately, with the policy `.latest`.
actor LatestOpticle: Opticle {
  let knot = Knot(Count())
  let finish: Finish
  init(_ finish: Finish) { self.finish = finish }
  nonisolated func policy(for request: Int) -> DispatchPolicy { .latest(0) }
  func dispatch(_ request: Int) async { commit(request) }
  func mutate(_ state: inout Count, response: Int) { finish.count(response, in: &state) }
  func recover(_ state: inout Count, request: Int, error: any Error) {}
}

/// A binder that turns each command into one action.
actor CountingBinder: ViewBindable {
  let knot = Knot(Count())
  let finish: Finish
  init(_ finish: Finish) { self.finish = finish }
  func binding(command: Int) async { accept(command) }
  func reduce(_ action: Int, into state: inout Count) { finish.count(action, in: &state) }
}

/// Typical code without the package: an actor that consumes a stream of commands.
actor StreamCounter {
  private var count = Count()
  nonisolated let commands: AsyncStream<Int>.Continuation
  private let stream: AsyncStream<Int>
  private var observers: [AsyncStream<Int>.Continuation] = []

  init() { (stream, commands) = AsyncStream.makeStream(of: Int.self) }

  nonisolated func send(_ command: Int) { commands.yield(command) }

  func observe() -> AsyncStream<Int> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Int.self, bufferingPolicy: .bufferingNewest(1))
    observers.append(continuation)
    return stream
  }

  /// Handles commands until the count reaches `total`.
  func run(until total: Int) async {
    for await command in stream {
      count.value += command
      for observer in observers { observer.yield(count.value) }
      if count.value == total { return }
    }
  }
}

/// An actor whose caller awaits each command.
actor BareCounter {
  private(set) var count = Count()
  func add(_ number: Int) { count.value += number }
}
