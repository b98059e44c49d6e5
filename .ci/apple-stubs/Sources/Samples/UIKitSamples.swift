import AsyncKnot
import UIKit

final class ProfileView: UIView, KnotableView {
  struct State: KnotState {
    var title = "-", count = 0
    static func defaultState() -> State { State() }
  }
  nonisolated let knot = Knot<State>()
  private let label = UILabel()

  func update(_ state: State) { label.text = state.title }
  func layout() { setNeedsLayout() }
}

@MainActor
func count(_ taps: EventChannel<Void>, of button: UIButton, in view: ProfileView) {
  button.addAction(UIAction { _ in taps.send() }, for: .touchUpInside)
  taps.subscribe().pipe(to: view, in: view.bag) { _, state in state.count += 1 }
}

@MainActor final class TitleView: KnotableView {
  struct State: KnotState {
    var title = "-"
    static func defaultState() -> State { State() }
  }
  nonisolated let knot = Knot<State>()
  private let label = UILabel()
  func update(_ state: State) { label.text = state.title }
}
