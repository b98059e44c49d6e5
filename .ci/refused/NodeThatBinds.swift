// refused: type 'Both' does not conform to protocol 'ViewBindable'
import AsyncOptical

struct Count: KnotState {
  var value = 0
  static func defaultState() -> Count { Count() }
}

// `accept` would not call `update`, and `sink` would bypass `accept`.
actor Both: Knotable, ViewBindable {
  let knot = Knot<Count>()
  func update(_ state: Count) {}
  func binding(command: Int) async { accept(command) }
  func reduce(_ action: Int, into state: inout Count) { state.value += action }
}
