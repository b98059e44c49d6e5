import AsyncKnot
import AsyncOptical

struct Count: KnotState {
  var value = 0
  static func defaultState() -> Count { Count() }
}

actor Node: Knotable {
  let knot = Knot<Count>()
  private var drawn = 0

  func update(_ state: Count) { drawn &+= state.value }
  @inline(never) func ping() -> Int { drawn }
}

/// Typical code without the package: an actor that drains a stream.
actor Drain {
  private var value = 0

  func drain(_ stream: AsyncStream<Int>) async {
    for await element in stream { value &+= element }
  }

  @inline(never) func ping() -> Int { value }
}

actor Counter: ViewBindable {
  enum Command: Sendable { case increment }
  enum Action: Sendable { case increment }
  let knot = Knot(Count())

  func binding(command: Command) async { accept(.increment) }
  func reduce(_ action: Action, into state: inout Count) { state.value += 1 }
  @inline(never) func ping() -> Int { state.value }
}

@MainActor
final class View: KnotableView {
  nonisolated let knot = Knot<Count>()
  init() {}
  func update(_ state: Count) { draw(for: .microseconds(5)) }
}
