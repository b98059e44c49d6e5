// refused: for an opticle or a binder, send requests or commands with 'send(to:in:)'
import AsyncOptical

actor Search: ViewBindable {
  let knot = Knot(0)
  func binding(command: Int) async { accept(command) }
  func reduce(_ action: Int, into state: inout Int) { state += action }
}

func pipe(_ numbers: EventSequence<Int>, to binder: Search) async {
  await numbers.pipe(to: binder) { number, state in state += number }
}
