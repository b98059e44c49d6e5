import Observation

/// Compiles only if AsyncKnot declares no type `Observation`, which would shadow the module that the macro names.
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
