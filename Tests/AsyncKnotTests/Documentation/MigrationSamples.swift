import AsyncKnot
import AsyncKnotTesting
import Testing

/// The right-hand samples of the article "Migrating from Knot".
@Suite struct MigrationSamples {
  final class TextNode { var text = "" }

  actor ProfileNode: Knotable {
    struct State: KnotState {
      var title = "-"
      static func defaultState() -> State {
        State()
      }
    }
    let knot = Knot<State>()
    let titleNode = TextNode()

    func update(_ state: State) {
      titleNode.text = state.title
    }
  }

  struct CellState: KnotState, Equatable {
    var id = 0
    var isEnabled = false
    static func defaultState() -> CellState { CellState() }
  }

  actor CellNode: Knotable {
    typealias State = CellState
    let knot = Knot<CellState>()
    private(set) var isEnabled = false
    func update(_ state: CellState) { isEnabled = state.isEnabled }
  }

  struct ListState: Equatable {
    var items: [String] = []
    var count = 0
  }

  actor List: StateActor {
    let knot = Knot(ListState())
  }

  actor Presenter {
    let changes = EventChannel<CellState>()

    func set(_ isEnabled: Bool, id: Int) { changes.send(CellState(id: id, isEnabled: isEnabled)) }
  }

  @Test("K3, K4, K6, K7: sink, read and observe as the guide says")
  func settingAndObserving() async {
    let node = ProfileNode()
    let bag = TaskBag()
    await node.sink(.init(title: "a"))
    print(node.state.title)
    #expect(await node.drawn == "a")
    bag.add {
      for await title in node.states(of: \.title) {
        print(title)
      }
    }
    await bag.cancelAndWait()
  }

  @Test("K5, K9, K10: bind and reduce as the guide says")
  func pipes() async {
    let node = ProfileNode()
    let bag = TaskBag()
    let recorder = Recorder(node.states(of: \.title))
    let states = AsyncStream { $0.yield(ProfileNode.State(title: "bound")) }
    states
      .pipe(to: node, in: node.bag)
    await recorder.wait { $0.last == "bound" }
    AsyncInterval(every: .milliseconds(100))
      .pipe(to: node, in: bag) { tick, state in
        state.title = "\(tick)"
      }
    await recorder.wait { $0.last == "0" }
  }

  @Test("K11–K14: combine events and state as the guide says")
  func operators() async {
    let list = List()
    let node = list
    let numbers = Elements(elements: [-1, 1])
    let newer = numbers.filter(with: node) { number, state in
      number > state.count
    }
    #expect(await newer.collect() == [1])
    let profile = ProfileNode()
    let taps = Elements(elements: ["tap"])
    await Self.takeTheStateAlong(taps, from: profile)
    let queries = Elements(elements: ["query"])
    for await (tap, query) in taps.withLatest(from: queries) { print(tap, query) }
    let settings = Elements(elements: [["a"], ["a", "b"]])
    settings.pipe(to: list, in: list.bag) { settings, state in
      state.items = settings
    }
    for await items in list.states(of: \.items) where items == ["a", "b"] { break }
  }

  private static func takeTheStateAlong(_ taps: Elements<String>, from node: ProfileNode) async {
    for await (tap, state) in taps.withState(from: node) {
      print(tap, state.title)
    }

    for await state in taps.state(from: node) {
      print(state.title)
    }
  }

  @Test("K19: cells take the changes with their identifier; a tap goes out with the cell's state")
  func presenterAndCells() async {
    for probe in await Self.toggleTheSecondCell() { await probe.expectReleased() }
  }

  private static func toggleTheSecondCell() async -> [LifetimeProbe] {
    let presenter = Presenter()
    let cells = [CellNode(), CellNode()]
    let tapped = EventChannel<Void>()
    for (id, cell) in cells.enumerated() {
      await cell.sink(CellState(id: id))
      await connect(cell, presenter, id == 1 ? tapped : EventChannel())
    }
    tapped.send(())
    for await isEnabled in cells[1].states(of: \.isEnabled) where isEnabled { break }
    tapped.send(())
    for await isEnabled in cells[1].states(of: \.isEnabled) where !isEnabled { break }
    #expect(cells[0].state == CellState(id: 0))
    return cells.map { LifetimeProbe($0) }
  }

  private static func connect(
    _ cell: CellNode, _ presenter: Presenter, _ taps: EventChannel<Void>
  ) async {
    presenter.changes.subscribe()
      .filter(with: cell) { $0.id == $1.id }
      .pipe(to: cell, in: cell.bag)

    let toggles = taps.subscribe().state(from: cell)
    cell.bag.add {
      for await state in toggles {
        await presenter.set(!state.isEnabled, id: state.id)
      }
    }
  }
}

extension MigrationSamples.ProfileNode {
  fileprivate var drawn: String { titleNode.text }
}
