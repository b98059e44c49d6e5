/// The state of the sampler: the processes with their rates, and the machine's readings of the last two minutes.
public struct Board: Equatable, Sendable {
  /// A process with its rates.
  public struct Process: Equatable, Sendable {
    /// The process as a row of the page's list.
    public var row: ProcessRow
    /// The name of its user.
    public var user: String
    /// The whole command line.
    public var command: String
    /// The processor time used so far, in seconds.
    public var processorTime: Double
  }

  /// The number of readings.
  public private(set) var number = 0
  /// The processes, in the order of the last reading.
  public private(set) var processes: [Process] = []
  /// The machine as a whole.
  public private(set) var machine = Machine()
  private var times: [ProcessID: Double] = [:]
  private var last: Reading?

  /// Creates a board without readings.
  public init() {}

  /// Applies a reading.
  ///
  /// Rates are computed from the differences to the previous reading.
  public mutating func add(_ reading: Reading) {
    let span = last.map { reading.time - $0.time } ?? 0
    func rate(_ now: Double, since before: Double?) -> Double {
      guard span > 0, let before, now > before else { return 0 }
      return (now - before) / span
    }
    var rates = 0.0
    processes = reading.processes.map { process in
      let rate = rate(process.processorTime, since: times[process.id])
      rates += rate
      let row = ProcessRow(
        id: process.id, name: process.name, command: process.command.beginning(160),
        cpu: Int(nearest: rate * 1_000),
        memory: Int(nearest: Double(process.memory) / 104_857.6))
      return Process(
        row: row, user: process.user, command: process.command,
        processorTime: process.processorTime)
    }
    let busy = reading.busyTime.map { rate($0, since: last?.busyTime) } ?? rates
    number += 1
    machine.add(
      Machine.Moment(
        time: reading.time, cpu: min(busy / Double(reading.cores), 1),
        memory: reading.memoryTotal > 0
          ? Double(reading.memoryUsed) / Double(reading.memoryTotal) : 0,
        load: reading.load))
    machine.memoryUsed = reading.memoryUsed
    machine.memoryTotal = reading.memoryTotal
    machine.cores = reading.cores
    times = Dictionary(reading.processes.map { ($0.id, $0.processorTime) }) { $1 }
    last = reading
    last?.processes = []
  }
}

extension String {
  /// Returns the first `count` Unicode scalars, which are faster to count than characters, with `…` for the rest.
  fileprivate func beginning(_ count: Int) -> String {
    let scalars = unicodeScalars
    guard let end = scalars.index(startIndex, offsetBy: count, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return self }
    return String(scalars[..<end]) + "…"
  }
}
