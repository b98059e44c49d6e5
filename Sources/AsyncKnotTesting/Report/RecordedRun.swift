/// One run, step by step, for a report.
struct RecordedRun: Sendable {
  /// A task as a report knows it.
  struct Lane: Sendable {
    /// The name of the task, or else the function with which it was started.
    var name: String?
    /// The type of the actor to which it came first; `nil` while it has come to none.
    var home: String?
    /// The state after its last step.
    var state = TaskState.ready
    /// The function in which it suspended last.
    var place: String?
  }

  /// One job.
  struct Step: Sendable {
    let lane: Int
    /// The type of the actor that it ran on, or `MainActor`; `nil` if it ran on no actor.
    let executor: String?
    /// Whether it is a forced switch.
    let isForced: Bool
    /// The state of the task after the step.
    var state = TaskState.ready
    /// The function in which it suspended.
    var place: String?
    /// The address in that function, for its line.
    var address: UInt = 0
    /// The time that the clocks of the run show.
    var time = Duration.zero
    /// What it did to other tasks, and what it read that is not the seed's.
    var deeds: [Deed] = []
    /// The watched values that changed, as `name: before -> after`.
    var changes: [String] = []
  }

  /// What a step did beside its own work.
  enum Deed: Sendable, Hashable {
    case resumes(Int)
    /// Its continuation was resumed before.
    case resumesAgain(Int)
    case cancels(Int)
    case readsWallClock
  }

  /// The state of a task after a step.
  enum TaskState: Sendable, Hashable {
    case ready
    case hops(to: String)
    case sleeps(Duration?)
    case awaitsTask(Int?)
    case awaitsContinuation
    case awaitsGroup
    case ended
    case unknown
  }

  var lanes: [Lane] = []
  var steps: [Step] = []
}
