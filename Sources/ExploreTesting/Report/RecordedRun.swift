internal import ExploreTestingRuntime

/// One run, step by step, for a report.
struct RecordedRun: Sendable {
  /// A task as a report knows it.
  struct Lane: Sendable {
    /// The name that it was given.
    var name: String?
    /// The type of the actor to which it came first; `nil` while it has come to none.
    var home: String?
    /// The state after its last step.
    var state = TaskState.ready
    var isCancelled = false
    /// The lane of the task that has the group in which it is.
    var parent: Int?
    /// The functions in which it has suspended last, from the innermost.
    var functions: [UInt] = []
    /// The functions of its first suspensions, the first one last: it is called after the outermost.
    var origin: [UInt] = []
  }

  /// One job.
  struct Step: Sendable {
    let lane: Int
    /// The type of the actor that it ran on, or `MainActor`; `nil` if it ran on no actor.
    let executor: String?
    /// Whether it is a forced switch.
    let isForced: Bool
    /// The lane that stands still in the middle of a step meanwhile; `nil` between two steps.
    var interrupted: Int?
    /// The state of the task after the step.
    var state = TaskState.ready
    /// The functions in which it suspended, from the innermost.
    var functions: [UInt] = []
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
    case readsForeignClock
    /// What made the run fail, in words, and the code where it was thrown.
    case fails(String, at: UInt?)
    /// A fault, or a choice that is not the plain one.
    case happens(String, isFault: Bool)

    /// The code at which it was thrown.
    var address: UInt? { if case .fails(_, let address) = self { address } else { nil } }
  }

  /// The state of a task after a step, or of one that hangs.
  enum TaskState: Sendable, Hashable {
    case ready
    case hops(to: String)
    case sleeps(Duration?)
    case awaitsTask(Int?)
    case awaitsContinuation
    case awaitsGroup
    /// It waits for an actor, on which a task runs.
    case awaitsActor(String, by: Int?)
    /// It is on a thread, and runs or blocks it.
    case keepsThread
    /// It is ready, and no thread takes it.
    case starves
    case ended
    case unknown
  }

  var lanes: [Lane] = []
  var steps: [Step] = []
}

extension RecordedRun.TaskState {
  /// Whether the task is on its way, and waits for nothing.
  var isPassing: Bool {
    if case .hops = self { true } else { self == .ready }
  }

  /// The state that the runtime tells of a task.
  init(_ task: KnotTask, lane: (UInt) -> Int?) {
    switch unsafe task.state {
    case knotTaskAwaitsTask: self = unsafe .awaitsTask(lane(UInt(bitPattern: task.on)))
    case knotTaskAwaitsContinuation: self = .awaitsContinuation
    case knotTaskAwaitsGroup: self = .awaitsGroup
    case knotTaskIsReady: self = .ready
    case knotTaskEnded: self = .ended
    default: self = unsafe task.isRunning ? .ready : .unknown
    }
  }
}
