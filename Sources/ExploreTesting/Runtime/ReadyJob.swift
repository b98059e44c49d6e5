/// A job that is ready to run.
struct ReadyJob {
  /// The owner of a task.
  enum Owner {
    /// The run: the task was created in the run and prefers the run's executor.
    case run
    /// The runtime, which created the task to wake a task of the run.
    case runtime
    /// Code outside the run, which calls an actor of the run.
    case visitor
  }

  let job: UnownedJob
  /// The index of the job's task in the run's table.
  let task: Int
  /// Where the job runs.
  let place: Place
  /// Whether the job empties an actor's queue instead of running one task on the actor.
  let drains: Bool
  /// Whether the job still has to enter the queue of an actor that code outside the run may also use.
  var isShared = false
  /// Whether the job waits behind earlier jobs for the same actor.
  let queues: Bool
  /// The owner of the job's task.
  let owner: Owner
  /// The number of jobs that arrived before this one.
  var order = 0
  /// 0 if the job is the task itself or empties an actor's queue; otherwise the job's number among the jobs that the task caused
  /// and that are not tasks, such as an isolated `deinit` or the end of a sleep.
  var part: UInt64 = 0
}

/// The actor on which a job runs, or none.
///
/// Two jobs of one actor never run at the same time.
@safe struct Place: Hashable {
  /// 0 for no actor, 1 for the main actor, otherwise the address of an actor.
  private let number: UInt

  static let anywhere = Place(number: 0)
  static let main = Place(number: 1)

  private init(number: UInt) { self.number = number }

  init(actor: UnsafeRawPointer?) { number = UInt(bitPattern: actor) }

  var isExclusive: Bool { number != 0 }
  var isMain: Bool { number == 1 }

  /// The actor's address; `nil` for the main actor and for no actor.
  var actor: UnsafeRawPointer? { unsafe number > 1 ? UnsafeRawPointer(bitPattern: number) : nil }
}
