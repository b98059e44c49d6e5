import AsyncKnot
import AsyncKnotTesting
import TerminalUI
import Testing

@testable import Switches

@Suite("Switches: a presenter, cells, and taps")
struct SwitchesTests {
  @Test("K19: a tap changes its own row, in the list and in the cell, and no other row")
  func taps() async {
    for probe in await tapped() { await probe.expectReleased() }
  }

  private func tapped() async -> [LifetimeProbe] {
    let list = await SwitchList { _ in }
    for row in [1, 3, 1, 1] { await list.tapAndWait(row) }
    #expect(list.presenter.state.rows.map(\.isOn) == [false, true, false, true])
    #expect(list.cells.map(\.state.isOn) == [false, true, false, true])
    #expect(list.presenter.state.count == 4)
    #expect(Presenter.frame(of: list.presenter.state).text(row: 1) == "2  [x] Bluetooth")
    list.tap(7)
    return list.cells.map { LifetimeProbe($0) }
  }
}
