// refused: missing argument for parameter 'into' in call
import AsyncOptical

actor Search: ViewBindable {
  let knot = Knot(0)
  func binding(command: Int) async {}
  func reduce(_ action: Int, into state: inout Int) { state += action }
}

func write(to binder: Search) async {
  await binder.reduce { state in state += 1 }
}
