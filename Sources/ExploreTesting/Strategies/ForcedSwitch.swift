/// A deviation from the default schedule: another task runs, or a call to `choose` or `fault` does not return its default.
///
/// On the default schedule, a task continues as long as it can; then the job that has been ready for longest runs. Any other
/// schedule is described by its deviations. The moment of a switch is measured by the progress of one task, so the switch keeps
/// its meaning when you remove earlier switches, or edit another part of the program.
struct ForcedSwitch: Hashable, Sendable {
  /// A moment in the life of a task.
  struct Moment: Hashable, Sendable {
    /// The key of the task that ran last.
    let task: UInt64
    /// The number of jobs of the task that have run.
    let step: Int
    /// The position in the job: the end, or a point in the middle.
    ///
    /// 0 at the end; otherwise 65,536 times the number of the point, which starts at 1, plus the number of jobs that have run
    /// there. Preemption points and interruption points are counted separately; interruption points have the bit
    /// ``interruption``.
    var point = 0

    /// The number of jobs that have already run at this point.
    var turn: Int { point & 0xFFFF }

    static let interruption = 1 << 48
    var isInterruption: Bool { point & Self.interruption != 0 }
    /// Marks a *chance*: a decision that `choose` or `fault` makes.
    ///
    /// Chances are also counted separately. The point of a chance is its number, not multiplied by 65,536, with this bit.
    static let chance = 1 << 49
    var isChance: Bool { point & Self.chance != 0 }
  }

  let after: Moment
  /// The key of the task that runs there; for a chance, the index of the chosen option.
  let run: UInt64
}

extension [ForcedSwitch] {
  /// The numbers of chances and of other switches; a report minimizes both.
  var size: (chances: Int, switches: Int) {
    let chances = self.count { $0.after.isChance }
    return (chances, count - chances)
  }

  /// The number of switches other than chances, for example "1 forced switch (>)".
  var forcedWords: String {
    let count = size.switches
    return count == 0
      ? "no forced switch" : counted(count, "forced switch", "forced switches") + " (>)"
  }
}

/// The moment of a run at which the next job is chosen.
struct DecisionMoment {
  /// The index of the task whose job runs now or ran last; −1 before the first.
  let current: Int
  /// The number of jobs that have run.
  let step: Int
  /// The moment in the life of the current task.
  let moment: ForcedSwitch.Moment
  /// Whether the current job has not ended, so that it is one of the jobs to choose from.
  var isInJob: Bool { moment.point >= 1 << 16 }
}
