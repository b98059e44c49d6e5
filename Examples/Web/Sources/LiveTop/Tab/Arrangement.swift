import AsyncDiff
import ProcessBoard

/// The processes of a board, filtered, grouped by user and ranked according to a tab's options.
struct Arrangement: Sendable {
  /// The section with the machine's charts.
  let machine: ShownSection<Part>
  /// The sections of the users, starting with the user whose processes use the most processor time or memory, depending on the
  /// ranking.
  let users: [ShownSection<Part>]
  /// The number of processes that match the filter.
  let matches: Int

  init(of board: Board, by options: ViewOptions) {
    let filter = options.filter.lowercased()
    let matching = board.processes.filter { filter.isEmpty || $0.matches(filter) }
    let groups = Dictionary(grouping: matching, by: \.user).map { user, processes in
      let rows = processes.map(\.row)
      let content = UserContent(
        name: user, count: rows.count,
        cpu: Int(nearest: rows.reduce(0) { $0 + Double($1.cpu) }),
        memory: Int(nearest: rows.reduce(0) { $0 + Double($1.memory) }),
        isFolded: options.folded.contains(user))
      return Part(
        diffIdentifier: "user:\(user)", content: Part.Content(user: content),
        items: content.isFolded ? [] : rows.sorted { $0.ranks(before: $1, by: options.ranking) })
    }
    let ranked = groups.sorted { one, other in
      guard let a = one.content.user, let b = other.content.user else { return false }
      let (x, y) = options.ranking == .cpu ? (a.cpu, b.cpu) : (a.memory, b.memory)
      return (x, b.name) > (y, a.name)
    }
    matches = matching.count
    let sections = DiffableSnapshot(sections: [Part(machine: board)] + ranked).sections
    machine = sections[0]
    users = Array(sections.dropFirst())
  }

  /// Returns the snapshot of a tab's whole page.
  func snapshot(for tab: TabBinder.State, of board: Board) -> DiffableSnapshot<Part> {
    let view = ViewContent(
      options: tab.options, isPaused: tab.paused != nil, matches: matches,
      selection: tab.selection.map { id in
        ViewContent.Selection(
          id: id, detail: board.processes.first { $0.row.id == id }.map(ViewContent.Detail.init))
      })
    let part = Part(diffIdentifier: "view", content: Part.Content(view: view))
    return DiffableSnapshot(
      sections: [machine] + DiffableSnapshot(sections: [part]).sections + users)
  }
}

extension Board.Process {
  /// Returns whether the process matches a filter, which must be in lower case.
  fileprivate func matches(_ filter: String) -> Bool {
    row.name.lowercased().contains(filter) || user.lowercased().contains(filter)
      || "\(row.id.number)" == filter || command.lowercased().contains(filter)
  }
}

extension ProcessRow {
  /// Returns whether this process precedes another one.
  ///
  /// If the ranking is by processor usage, processes with a higher usage come first, and ties are decided by memory. If it is by
  /// memory, the roles are swapped. Remaining ties are decided by the processes' numbers.
  fileprivate func ranks(before other: Self, by ranking: ViewOptions.Ranking) -> Bool {
    switch ranking {
    case .cpu:
      (cpu, memory, other.id.number, other.id.start) > (
        other.cpu, other.memory, id.number, id.start
      )
    case .memory:
      (memory, cpu, other.id.number, other.id.start) > (
        other.memory, other.cpu, id.number, id.start
      )
    }
  }
}

extension ViewContent.Detail {
  fileprivate init(_ process: Board.Process) {
    self.init(
      name: process.row.name, user: process.user, command: process.command, cpu: process.row.cpu,
      memory: process.row.memory, processorTime: Int(nearest: process.processorTime * 100))
  }
}

extension Part {
  fileprivate init(machine board: Board) {
    let machine = board.machine
    let loads = machine.moments.map(\.load)
    let content = MachineContent(
      reading: board.number, processes: board.processes.count,
      cpu: Int(nearest: machine.now.cpu * 1_000), memoryUsed: machine.memoryUsed,
      memoryTotal: machine.memoryTotal, load: Int(nearest: machine.now.load * 100),
      cores: machine.cores,
      cpuChart: Chart(machine.moments.lazy.map { ($0.time, $0.cpu) }, ceiling: 1),
      memoryChart: Chart(machine.moments.lazy.map { ($0.time, $0.memory) }, ceiling: 1),
      loadChart: Chart(
        machine.moments.lazy.map { ($0.time, $0.load) },
        ceiling: max(Double(machine.cores), loads.max() ?? 0)))
    self.init(diffIdentifier: "machine", content: Content(machine: content))
  }
}
