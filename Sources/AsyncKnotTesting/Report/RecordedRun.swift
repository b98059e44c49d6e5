/// What happened in one run, step by step, for a reader.
struct RecordedRun: Sendable {
  /// A task as a report knows it.
  struct Lane: Sendable {
    /// What it is called: its own name, or the function it was started with.
    var name: String?
    /// The lane of the task that made it; −1 for the first one.
    let parent: Int
    /// What it did last.
    var state = TaskState.ready
    /// Where it suspended last.
    var place: String?
  }

  /// One job.
  struct Step: Sendable {
    let lane: Int
    /// What it ran on: an actor's type, `MainActor`, or nothing.
    let executor: String?
    /// Whether another one would have run if nobody had forced this one.
    let isForced: Bool
    /// How the task left.
    var state = TaskState.ready
    /// The function in which it suspended.
    var place: String?
    /// The watched values that changed, as `name: before → after`.
    var changes: [String] = []
  }

  /// What a task does after a step.
  enum TaskState: Sendable, Hashable {
    case ready
    case hops(to: String)
    case sleeps
    case awaitsTask(Int?)
    case awaitsContinuation
    case awaitsGroup
    case ended
    case unknown
  }

  var lanes: [Lane] = []
  var steps: [Step] = []
}
