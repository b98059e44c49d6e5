import AsyncKnot
import TerminalUI

/// A list of switches, with a presenter, cells that follow their own rows, and taps.
@main
struct Switches {
  static func main() async throws {
    let words = CommandLine.arguments.dropFirst()
    let taps = words.compactMap { Int($0) }
    guard taps.count == words.count, taps.allSatisfy((1...Presenter.names.count).contains) else {
      return try Output.write(
        """
        usage: Switches [ROW...]

        With row numbers from 1 to \(Presenter.names.count), the program taps these rows and prints the list. Without row numbers,
        in a terminal, a digit taps the row with that number, and q quits.

        """)
    }
    if taps.isEmpty, Terminal.isTerminal(), !Terminal.isDumb {
      return try await Terminal.run { terminal in
        let list = await SwitchList { terminal.draw($0) }
        for await key in terminal.keys where key != .control("z") {
          guard case .character(let digit) = key, digit != "q" else { return }
          if let row = digit.wholeNumberValue { list.tap(row - 1) }
        }
      }
    }
    let list = await SwitchList { _ in }
    for row in taps { await list.tapAndWait(row - 1) }
    try Output.write(Presenter.frame(of: list.presenter.state).portable.plainText)
  }
}

/// A presenter and the cells that are connected to it.
struct SwitchList {
  let presenter: Presenter
  let cells: [Cell]
  private let taps: [EventChannel<Void>]

  init(show: @escaping @Sendable (Frame) -> Void) async {
    presenter = Presenter(show: show)
    cells = presenter.state.rows.map(Cell.init)
    taps = cells.map { _ in EventChannel() }
    await presenter.render()
    let changes = presenter.changes
    changes.subscribe().pipe(to: presenter, in: presenter.knot.bag) { change, list in
      list.rows[change.id] = change
      list.count += 1
    }
    for (cell, taps) in zip(cells, taps) {
      // Every cell observes all changes, and reduces only those of its own row.
      changes.subscribe()
        .filter(with: cell) { change, row in change.id == row.id }
        .pipe(to: cell, in: cell.knot.bag)
      // A tap sends the opposite of the state that its cell has at that moment.
      let toggles = taps.subscribe().state(from: cell)
      cell.knot.bag.add {
        for await row in toggles { changes.send(Cell.State(id: row.id, isOn: !row.isOn)) }
      }
    }
  }

  func tap(_ row: Int) { if taps.indices.contains(row) { taps[row].send(()) } }

  /// Taps a row, and returns when the list and the row's cell have the new state.
  func tapAndWait(_ row: Int) async {
    let count = presenter.state.count
    tap(row)
    for await list in presenter.states where list.count > count {
      let wanted = list.rows[row]
      for await shown in cells[row].states where shown == wanted { return }
    }
  }
}

/// Holds the list and draws its newest state.
actor Presenter: Knotable {
  struct State: KnotState {
    var rows: [Cell.State]
    var count = 0
    static func defaultState() -> State {
      State(rows: names.indices.map { Cell.State(id: $0, isOn: false) })
    }
  }

  static let names = ["Wi-Fi", "Bluetooth", "Do not disturb", "Airplane mode"]
  let knot = Knot<State>()
  nonisolated let changes = EventChannel<Cell.State>()
  private let show: @Sendable (Frame) -> Void

  init(show: @escaping @Sendable (Frame) -> Void) { self.show = show }

  func update(_ state: State) {}
  func layout() { show(Self.frame(of: state)) }

  static func frame(of state: State) -> Frame {
    var frame = Frame(size: Size(columns: 40, rows: names.count + 2))
    for row in state.rows {
      let style = row.isOn ? Style(.green, .bold) : .plain
      let text = "\(row.id + 1)  [\(row.isOn ? "x" : " ")] \(names[row.id])"
      frame.put(text, row: row.id, column: 0, style: style)
    }
    frame.put(
      "changes: \(state.count)  q quit", row: names.count + 1, column: 0, style: Style(nil, .dim))
    return frame
  }
}

/// A row that holds its own state and does not know the list.
actor Cell: StateActor {
  struct State: Equatable, Sendable {
    var id: Int
    var isOn: Bool
  }

  let knot: Knot<State>
  init(_ row: State) { knot = Knot(row) }
}
