/// The jobs of a run that wait for the virtual time, by deadline.
struct TimerQueue {
  struct Timer {
    let job: UnownedJob
    let deadline: Duration
    /// The task that sleeps.
    let task: Int
  }

  /// The virtual time since the start of the run.
  private(set) var now = Duration.zero
  private var timers: [Timer] = []

  var nextDeadline: Duration? { timers.first?.deadline }

  /// Keeps a job; those with one deadline come in the order in which they were kept.
  mutating func insert(_ timer: Timer) {
    let index = timers.lastIndex { $0.deadline <= timer.deadline }.map { $0 + 1 } ?? 0
    timers.insert(timer, at: index)
  }

  /// Moves the time.
  ///
  /// - Returns: The jobs whose deadline is reached, in the order of their deadlines.
  mutating func move(by step: Duration) -> [Timer] {
    now += step
    let due = timers.prefix { $0.deadline <= now }
    timers.removeFirst(due.count)
    return Array(due)
  }

  mutating func removeAll() -> [Timer] {
    defer { timers = [] }
    return timers
  }
}
