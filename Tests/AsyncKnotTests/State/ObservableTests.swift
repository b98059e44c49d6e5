import Observation

/// Compiles only as long as `AsyncKnot.Observation` does not get in the way of the macro.
@MainActor
@Observable
final class ProfileModel: KnotableView {
  struct State: KnotState {
    var title = "-"
    static func defaultState() -> State { State() }
  }

  @ObservationIgnored nonisolated let knot = Knot<State>()
  private(set) var title = "-"

  func update(_ state: State) { title = state.title }
}

@Suite struct ObservableTests {
  @Test("K15: an @Observable class works as a view, and notifies its observers")
  @MainActor
  func observableView() async {
    let model = ProfileModel()
    await confirmation { changed in
      withObservationTracking {
        _ = model.title
      } onChange: {
        changed()
      }
      model.sink(.init(title: "a"))
    }
    #expect(model.title == "a")
  }
}
