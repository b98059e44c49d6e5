// The declarations that the samples of AsyncKnot's articles and documentation comments use without showing them.
import AsyncKnot

actor ProfileNode: Knotable {
  struct State: KnotState, Equatable {
    struct User: Sendable, Equatable { var name = "-" }
    var title = "-", subtitle = "-", url = ""
    var count = 0, limit = 9
    var user = User()
    var rows: [String] = []
    static func defaultState() -> State { State() }
  }
  let knot = Knot<State>()
  func update(_ state: State) {}
  func log(_ title: String) { print(title) }
  func draw(_ state: State) { print(state) }
}

struct Tap: Sendable { let row: Int }

struct SessionState: Sendable { var user = "" }

actor Session: StateActor {
  let knot = Knot(SessionState())
}

@MainActor final class TitleView: KnotableView {
  nonisolated let knot = Knot<ProfileNode.State>()
  func update(_ state: ProfileNode.State) {}
  func log(_ title: String) { print(title) }
}

let node = ProfileNode()
let session = Session()
let bag = TaskBag()
@MainActor let view = TitleView()
@MainActor let profile = Observed(node)
let shop = ProfileNode()
let ticks = EventChannel<Int>().subscribe()
let taps = EventChannel<Tap>().subscribe()
let queries = EventChannel<String>().subscribe()

func open(_ url: String) {}
func open(_ row: Int) {}
func show(_ values: Any...) {}
