// refused: type 'Both' does not conform to protocol 'ViewBindable'
import AsyncOptical

// `reduce` and `pipe(to:)` would bypass `accept`.
actor Both: StateActor, ViewBindable {
  let knot = Knot(0)
  func binding(command: Int) async { accept(command) }
  func reduce(_ action: Int, into state: inout Int) { state += action }
}
