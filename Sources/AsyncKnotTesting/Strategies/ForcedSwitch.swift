/// A moment in a run at which another task runs than the default rule says.
///
/// The default rule: a task goes on as long as it can, then the job runs that has been ready longest. A
/// schedule is given by its forced switches, which are its exceptions to that rule. The moment of a switch is
/// given by the progress of one task. So the switch keeps its meaning when switches before it are taken away,
/// or another part of the program is edited.
struct ForcedSwitch: Hashable, Sendable {
  /// A moment in the life of a task.
  struct Moment: Hashable, Sendable {
    /// The key of the task that has just run.
    let task: UInt64
    /// How many jobs it has had.
    let step: Int
    /// The place in its job: the end, or a point in the middle.
    ///
    /// At the end it is 0; else the number of the point, from 1, times 65,536, and how many jobs have run there.
    /// Preemption points are counted apart from those at which code creates or resumes a task or unlocks a lock, and which
    /// have the bit ``interruption``.
    var point = 0

    static let interruption = 1 << 48
    var isInterruption: Bool { point & Self.interruption != 0 }
  }

  let after: Moment
  /// The key of the task that runs there.
  let run: UInt64
}
