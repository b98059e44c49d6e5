import AsyncKnot
import AsyncKnotTesting
import Testing

/// The original's own example: a presenter, and cells that show what it says about them.
@Suite struct PresenterTests {
  private struct CellState: KnotState, Equatable {
    var id = 0
    var isEnabled = false
    static func defaultState() -> CellState { CellState() }
  }

  private actor CellNode: Knotable {
    let knot = Knot<CellState>()
    func update(_ state: CellState) {}
  }

  private actor Presenter {
    let changes = EventChannel<CellState>()

    func set(_ isEnabled: Bool, id: Int) { changes.send(CellState(id: id, isEnabled: isEnabled)) }
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
      connect(cell, presenter, id == 1 ? tapped : EventChannel())
    }
    tapped.send(())
    for await isEnabled in cells[1].states(of: \.isEnabled) where isEnabled { break }
    tapped.send(())
    for await isEnabled in cells[1].states(of: \.isEnabled) where !isEnabled { break }
    #expect(cells[0].state == CellState(id: 0))
    return cells.map { LifetimeProbe($0) }
  }

  private static func connect(_ cell: CellNode, _ presenter: Presenter, _ taps: EventChannel<Void>)
  {
    presenter.changes.subscribe()
      .filter(with: cell) { $0.id == $1.id }
      .pipe(to: cell, in: cell.bag)

    let toggles = taps.subscribe().state(from: cell)
    cell.bag.add {
      for await state in toggles { await presenter.set(!state.isEnabled, id: state.id) }
    }
  }
}
