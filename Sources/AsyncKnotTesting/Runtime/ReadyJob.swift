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
