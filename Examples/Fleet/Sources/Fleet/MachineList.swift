import AsyncDiff
import ProcessBoard

/// The list of a machine, which has one section with the machine's load and its processes.
///
/// The rows are sorted by process number. Each page ranks them itself, so a changed rank does not cause a message in the log.
struct MachineList: SectionInflator {
  let diffIdentifier: String
  let content: Vitals
  let items: [FleetRow]

  init(_ board: Board) {
    diffIdentifier = "machine"
    content = Vitals(board)
    items = board.processes.map { FleetRow($0) }.sorted { ($0.number, $0.id) < ($1.number, $1.id) }
  }

  static func snapshot(of board: Board) -> DiffableSnapshot<MachineList> {
    DiffableSnapshot(sections: [MachineList(board)])
  }
}

/// The machine as a whole.
struct Vitals: Equatable, Sendable, Codable {
  /// The sequence number of the reading.
  var reading: Int
  var processes: Int
  var cores: Int
  /// The processor usage at each of the last 60 moments, in percent of all processors, newest last.
  var cpu: [Int]
  /// The memory in use, in mebibytes.
  var memoryUsed: Int
  /// The total memory, in mebibytes.
  var memoryTotal: Int
  /// The load average in hundredths.
  var load: Int

  init(_ board: Board) {
    let machine = board.machine
    reading = board.number
    processes = board.processes.count
    cores = machine.cores
    cpu = machine.moments.suffix(60).map { Int(nearest: $0.cpu * 100) }
    memoryUsed = machine.memoryUsed >> 20
    memoryTotal = machine.memoryTotal >> 20
    load = Int(nearest: machine.now.load * 100)
  }
}

/// A process.
///
/// Processor usage and memory are rounded to whole percents and mebibytes, so that smaller changes do not count as changes.
struct FleetRow: Diffable, Identifiable, Equatable, Sendable, Codable {
  /// The process ID and the start time, such as `4711.1234`.
  var id: String
  var name: String
  var user: String
  /// The beginning of the command line.
  var command: String
  /// The processor usage in percent of one processor.
  var cpu: Int
  /// The resident memory in mebibytes.
  var memory: Int

  var number: Int { Int(id.prefix { $0 != "." }) ?? 0 }

  init(_ process: Board.Process) {
    id = "\(process.row.id)"
    name = process.row.name
    user = process.user
    command = String(process.row.command.unicodeScalars.prefix(80))
    cpu = (process.row.cpu + 5) / 10
    memory = (process.row.memory + 5) / 10
  }
}
