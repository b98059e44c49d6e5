/// When a choice is made.
struct DecisionMoment {
  /// The task whose job runs now, or ran last; −1 before the first.
  let current: Int
  /// How often there was a choice before, of one job or more.
  let decision: Int
  /// How many jobs have run.
  let step: Int
  /// The moment in the life of the current task.
  let moment: ForcedSwitch.Moment
}
