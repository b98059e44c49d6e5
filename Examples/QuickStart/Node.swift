import AsyncKnot
import TerminalUI

/// The node of the original's quick example: two texts that follow a state.
actor Node: Knotable {
  struct State: KnotState {
    var title: String
    var subTitle: String

    static func defaultState() -> State {
      State(title: "-", subTitle: "-")
    }
  }

  private enum Const {
    static let titleStyle = Style(.brightWhite, .bold)
    static let subTitleStyle = Style(.brightBlack)
  }

  let knot = Knot<State>()
  private var title = ""
  private var subTitle = ""
  private let screen: Screen

  init(screen: Screen) {
    self.screen = screen
  }

  func update(_ state: State) {
    title = state.title
    subTitle = state.subTitle
  }

  func layout() {
    screen.show([
      (title, "title, every 100 ms", Const.titleStyle),
      (subTitle, "subtitle, every 10 ms below 100", Const.subTitleStyle),
    ])
  }
}
