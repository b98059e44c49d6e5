/// A place in a run where another task runs than would run by itself.
///
/// By itself a task goes on as long as it can, and then comes the job that has been ready longest. A
/// schedule is told by its exceptions to that. Each is anchored in the progress of one task, so it still
/// means the same when exceptions before it are taken away, or the program is edited elsewhere.
struct ForcedSwitch: Hashable, Sendable {
  /// A moment in the life of a task.
  struct Moment: Hashable, Sendable {
    /// The key of the task that has just run.
    let task: UInt64
    /// How many jobs it has had.
    let step: Int
    /// How many preemption points it has passed since then; 0 for none.
    var point = 0
  }

  let after: Moment
  /// The key of the task that runs there.
  let run: UInt64
}
