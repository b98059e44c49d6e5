import AsyncDiff
import AsyncKnot
import FleetLog
import ProcessBoard

/// Writes a machine's list to the log with the machine's name.
///
/// The sampler does not know the publisher, so a slow or unreachable log does not affect the sampler.
struct Publisher: Sendable {
  let log: any SnapshotLog
  let name: String
  let lease: Duration
  let sampler: Sampler

  func run(every interval: Duration) async throws {
    let beat = Beat()
    let writer = LogWriter<MachineList>(to: log, name: name, lease: lease) { tell($0) }
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask { try await sampler.run(every: interval, count: nil) }
      group.addTask { await beat.run(every: lease / 4) }
      group.addTask {
        try await writer.run {
          states(of: sampler, beat).map { board, _ in MachineList.snapshot(of: board) }
        }
      }
    }
  }

  private func tell(_ event: LogWriter<MachineList>.Event) {
    switch event {
    case .waits: say("\(name): another process writes this log; waiting until that process stops")
    case .began(let epoch): say("\(name): writing, epoch \(epoch)")
    case .lost(let epoch):
      say("\(name): another process has taken over or deleted the log; epoch \(epoch) has ended")
    case .elsewhere(let has, let log):
      say("\(name): the log is at \(log), but was at \(has) before; starting a new epoch")
    case .tooLong(let count):
      say("\(name): the list takes \(count) bytes; a message can have at most \(LogMessage.limit)")
    case .failed(let reason): say("\(name): \(reason); trying again")
    }
  }
}
