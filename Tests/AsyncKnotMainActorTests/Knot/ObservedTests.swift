import AsyncKnot
import Observation
import TestSupport
import Testing

/// `Observed` in a target in which everything is on the main actor by default.
@Suite struct ObservedTests {
  @Test(
    "S19: an observer of a view is notified during the reduction, and only if a property that it has read changes"
  )
  func views() {
    let view = ProfileView()
    let profile = Observed(view)
    var changes = 0
    func track() {
      withObservationTracking {
        _ = profile.title
      } onChange: {
        MainActor.assumeIsolated { changes += 1 }
      }
    }
    track()
    view.reduce { $0.rows = [1] }
    #expect(changes == 0)
    view.reduce { $0.title = "new" }
    #expect(changes == 1)
    #expect(profile.title == "new")
    #expect(profile[\.rows, at: 0] == 1)
  }

  @Test("S19: code on the main actor reads the newest state of an actor through Observed")
  func actors() async {
    let node = ProfileNode()
    let profile = Observed(node)
    #expect(profile.title == "-")
    await node.reduce { $0.title = "new" }
    await waitWhile(profile.title != "new")
  }
}
