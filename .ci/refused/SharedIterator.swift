// refused: sending value of non-Sendable type '() async -> ()' risks causing data races
import AsyncKnot

func share(_ node: some StateSource<Int>) async {
  var iterator = node.states.makeAsyncIterator()
  let copy = iterator
  Task {
    var copy = copy
    _ = await copy.next()
  }
  _ = await iterator.next()
}
