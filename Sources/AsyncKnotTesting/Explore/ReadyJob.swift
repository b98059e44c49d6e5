/// A job that may run now.
struct ReadyJob {
  /// Whose a task is.
  enum Owner {
    /// It was made in the run, and prefers its executor.
    case run
    /// The runtime made it, to wake a task of the run from its sleep.
    case runtime
    /// It belongs to somebody else, and only visits an actor of the run.
    case visitor
  }

  let job: UnownedJob
  /// The task it belongs to, by its place in the run's table.
  let task: Int
  /// Where it runs.
  let place: Place
  /// Whether it empties the queue of its place, an actor, rather than running on it.
  let drains: Bool
  /// Whether others may wait behind it for its place.
  let queues: Bool
  /// Whose task it belongs to.
  let owner: Owner
  /// How many jobs arrived before it.
  var order = 0
  /// What partial order sampling has drawn for it.
  var rank: UInt64 = 0
}
