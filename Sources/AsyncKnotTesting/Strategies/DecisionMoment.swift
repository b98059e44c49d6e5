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
