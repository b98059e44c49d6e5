import AsyncKnot
import Testing

/// The samples of the article "SwiftUI and UIKit" that need neither.
@Suite struct ViewSamples {
  @MainActor final class TitleView: KnotableView {
    struct State: KnotState {
      var title = "-"
      static func defaultState() -> State { State() }
    }
    nonisolated let knot = Knot<State>()
    private(set) var text = ""

    func update(_ state: State) { text = state.title }
  }

  actor ProfileNode: StateActor {
    struct State: KnotState {
      var title = "-"
      static func defaultState() -> State { State() }
    }
    let knot = Knot<State>()
  }

  @MainActor final class ProfileScreen {
    private let bag = TaskBag()
    private(set) var title = ""

    func appear(showing node: ProfileNode) {
      bag.add { [weak self] in
        for await title in node.states(of: \.title) { self?.title = title }
      }
    }

    func disappear() { bag.cancel() }
  }

  @Test("A view has drawn when reduce returns")
  @MainActor
  func titleView() {
    let view = TitleView()
    view.render()
    view.reduce { $0.title = "Hello" }
    #expect(view.text == "Hello")
  }

  @Test("A screen follows a node until it disappears, and does not keep it")
  @MainActor
  func profileScreen() async {
    let screen = ProfileScreen()
    weak var gone: ProfileNode?
    do {
      let node = ProfileNode()
      gone = node
      screen.appear(showing: node)
      await node.reduce { $0.title = "a" }
      while screen.title != "a" { await Task.yield() }
      screen.disappear()
    }
    while gone != nil { await Task.yield() }
  }
}
