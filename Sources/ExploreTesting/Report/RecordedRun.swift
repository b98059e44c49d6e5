internal import ExploreTestingRuntime

/// One run, step by step, for a report.
struct RecordedRun: Sendable {
  /// A task in a report.
  struct Lane: Sendable {
    /// The name passed to `Task(name:)`.
    var name: String?
    /// The type of the first actor that the task reached; `nil` if it has reached none.
    var home: String?
    /// The state of the task after its last step.
    var state = TaskState.ready
    var isCancelled = false
    /// The lane of the task that owns this task's group; `nil` if this task is in no group.
    var parent: Int?
    /// The functions in which the task last suspended, innermost first.
    var functions: [UInt] = []
    /// The functions in which the task suspended, latest suspension first; no suspension is added once there are 200.
    ///
    /// The task is named after the last of these functions that belongs to the user.
    var origin: [UInt] = []
  }

  /// One job of the run.
  struct Step: Sendable {
    let lane: Int
    /// The type of the actor on which the job ran, or `MainActor`; `nil` if it ran on no actor.
    let executor: String?
    /// Whether a forced switch chose the job.
    let isForced: Bool
    /// The lane that this step interrupts; `nil` if it interrupts none.
    var interrupted: Int?
    /// The state of the task after the step.
    var state = TaskState.ready
    /// The functions in which the task suspended, innermost first.
    var functions: [UInt] = []
    /// The virtual time since the run's start.
    var time = Duration.zero
    var effects: [Effect] = []
    /// The watched values that changed, as `name: before -> after`.
    var changes: [String] = []
  }

  /// A side effect of a step.
  enum Effect: Sendable, Hashable {
    case resumes(Int)
    /// The task's continuation had already been resumed.
    case resumesAgain(Int)
    case cancels(Int)
    case readsForeignClock
    /// The reason why the run failed, and the address of the code that threw.
    case fails(String, at: UInt?)
    /// A fault occurred, or a decision did not take its first option.
    ///
    /// The text describes the fault or the decision.
    case happens(String, isFault: Bool)

    /// The address of the code that threw.
    var address: UInt? { if case .fails(_, let address) = self { address } else { nil } }
  }

  /// The state of a task after a step, or of a task that hangs.
  enum TaskState: Sendable, Hashable {
    case ready
    case hops(to: String)
    case sleeps(Duration?)
    case awaitsTask(Int?)
    case awaitsContinuation
    case awaitsGroup
    /// The task is waiting for an actor on which another task is running.
    case awaitsActor(String, by: Int?)
    /// The task is running on a thread, or blocking one.
    case keepsThread
    /// The task is ready, but no thread is running it.
    case starves
    case ended
    case unknown
  }

  var lanes: [Lane] = []
  var steps: [Step] = []
}

extension RecordedRun.TaskState {
  /// Whether the task is ready or hops to an actor, so that it waits for nothing else.
  var isPassing: Bool {
    if case .hops = self { true } else { self == .ready }
  }

  /// Converts the state that the runtime reports.
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
