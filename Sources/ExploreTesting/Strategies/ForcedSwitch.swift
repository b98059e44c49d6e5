/// A deviation from the default schedule: another task runs, or a chance is not the plain one.
///
/// On the default schedule a task goes on as long as it can; then the job runs that has been ready longest. The list of its
/// deviations describes any other schedule. The progress of one task tells when a switch happens. So the switch keeps its
/// meaning when earlier switches are removed, or another part of the program is edited.
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
    /// Preemption points are counted apart from those at which the kit interrupts code, and which have the bit
    /// ``interruption``.
    var point = 0

    /// How many jobs have run there before.
    var turn: Int { point & 0xFFFF }

    static let interruption = 1 << 48
    var isInterruption: Bool { point & Self.interruption != 0 }
    /// The bit of what `choose` and `fault` decide, which are counted apart, too.
    static let chance = 1 << 49
    var isChance: Bool { point & Self.chance != 0 }
  }

  let after: Moment
  /// The key of the task that runs there, or for a chance the place of what is chosen.
  let run: UInt64
}

/// The moment of a run at which the next job is chosen.
struct DecisionMoment {
  /// The task whose job runs now, or ran last; −1 before the first.
  let current: Int
  /// How many jobs have run.
  let step: Int
  /// The moment in the life of the current task.
  let moment: ForcedSwitch.Moment
  /// Whether the current job is in the middle of something, and may go on.
  var isInJob: Bool { moment.point >= 1 << 16 }
}
