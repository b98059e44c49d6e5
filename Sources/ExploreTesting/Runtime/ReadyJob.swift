/// A job that may run now.
struct ReadyJob {
  /// The owner of a task.
  enum Owner {
    /// The run: the task was made in it, and prefers its executor.
    case run
    /// The runtime, which made the task to wake a task of the run from its sleep.
    case runtime
    /// Code outside of the run, which calls an actor of the run.
    case visitor
  }

  let job: UnownedJob
  /// The task it belongs to, by its place in the run's table.
  let task: Int
  /// Where it runs.
  let place: Place
  /// Whether it empties the queue of its place, an actor, rather than running on it.
  let drains: Bool
  /// Whether it has yet to come into the queue of its place, an actor that others may use, too.
  var isShared = false
  /// Whether jobs of its kind run at their place in the order in which they came.
  let queues: Bool
  /// The owner of its task.
  let owner: Owner
  /// How many jobs arrived before it.
  var order = 0
}

/// An actor on which a job runs, or none; two jobs of one actor never run at once.
@safe struct Place: Hashable {
  /// 0 for no place, 1 for the main actor, else the address of an actor.
  private let number: UInt

  static let anywhere = Place(number: 0)
  static let main = Place(number: 1)

  private init(number: UInt) { self.number = number }

  init(actor: UnsafeRawPointer?) { number = UInt(bitPattern: actor) }

  var isExclusive: Bool { number != 0 }
  var isMain: Bool { number == 1 }

  /// The actor; `nil` for the main actor and where there is none.
  var actor: UnsafeRawPointer? { unsafe number > 1 ? UnsafeRawPointer(bitPattern: number) : nil }
}
