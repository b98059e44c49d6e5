// refused: type 'Screen' does not conform to protocol 'BindView'
import AsyncOptical

actor Binder: ViewBindable {
  let knot = Knot(0)
  func binding(command: Int) async { accept(command) }
  func reduce(_ action: Int, into state: inout Int) { state += action }
}

// The loop would keep the view alive. Write 'taps.subscribe().send(to: viewBinder, in: binding.bag)' instead.
@MainActor final class Screen: BindView {
  let binding = ViewBinding<Binder>()
  let taps = EventChannel<Int>()
  func state(viewBinder: Binder) {}
  func command(viewBinder: Binder) async {
    for await tap in taps.subscribe() { viewBinder.send(tap) }
  }
}
