/// The ready jobs of one run, and which of them runs next: a function of the seed and of nothing else.
struct Schedule {
  private var ready = ReadyList()
  private(set) var tasks = TaskTable()
  private var chooser: Chooser
  /// The task whose job runs now, or ran last; −1 before the first.
  private(set) var currentTask = -1
  private(set) var trace = ExplorationTrace()
  private(set) var account = RunAccount()

  /// How many jobs have arrived.
  private var arrivals = 0
  /// How many preemption points the current job has passed.
  private(set) var point = 0
  /// The exceptions to what runs by itself, where somebody wants to know.
  private(set) var switches: [ForcedSwitch]?
  /// What could have run instead after the exceptions that the run was told, where somebody wants to know.
  private(set) var alternatives: [ForcedSwitch] = []
  /// Whether the job that was taken last would not have run by itself.
  private(set) var lastWasForced = false

  init(_ chooser: Chooser, isRecorded: Bool = false) {
    self.chooser = chooser
    switches = isRecorded ? [] : nil
  }

  /// What was made of the schedule that the run was told to follow.
  var script: Script { chooser.script }
  /// Where the search stands that the run is part of.
  var cursor: SearchCursor { chooser.cursor }

  /// How long the scenario was.
  var measure: ScenarioMeasure { ScenarioMeasure(decisions: trace.decisions, tasks: tasks) }

  var isEmpty: Bool { ready.isEmpty }

  /// Takes a job that may run from now on.
  ///
  /// - Parameters:
  ///   - job: The job.
  ///   - origin: What is known of it.
  ///   - isOwn: Whether a thread that works for the run sends it.
  /// - Returns: What it will be chosen as.
  @discardableResult
  mutating func add(_ job: UnownedJob, _ origin: JobOrigin, isOwn: Bool) -> ReadyJob {
    let isFirst = tasks.entries.isEmpty
    if !isOwn, !isFirst { account.foreignJobs += 1 }
    let task =
      origin.taskNumber == 0 && !isFirst
      ? max(currentTask, 0)
      : tasks.ordinal(of: origin.taskNumber, madeBy: isOwn ? currentTask : -1)
    let ready = ReadyJob(
      job: job, task: task, place: origin.place, drains: origin.drains, queues: origin.queues,
      owner: origin.isForeign ? .visitor : .run)
    add(ready)
    return ready
  }

  /// Takes the job with which a task wakes from its sleep.
  mutating func add(_ timer: TimerQueue.Timer) {
    add(
      ReadyJob(
        job: timer.job, task: timer.task, place: .anywhere, drains: false, queues: false,
        owner: .runtime))
  }

  /// Makes the job of a sleep belong to the task that sleeps.
  ///
  /// - Returns: The task that runs, which is the one.
  mutating func adopt(_ number: UInt64) -> Int {
    let task = max(currentTask, 0)
    if number != 0 { tasks.alias(number, to: task) }
    return task
  }

  private mutating func add(_ job: ReadyJob) {
    var job = job
    job.order = arrivals
    arrivals += 1
    chooser.meet(&job, of: tasks)
    ready.append(job)
  }

  /// Drops what is ready; a job that is dropped never runs.
  mutating func removeAll() { ready.removeAll() }

  /// Takes the job that runs next.
  mutating func next() -> ReadyJob? {
    guard !ready.isEmpty else { return nil }
    let moment = moment()
    let isTold = switches != nil && chooser.script.unmet > 0
    let index = chooser.choose(from: ready, of: tasks, at: moment)
    if switches != nil {
      let natural = Script.natural(ready, current: currentTask)
      note(index, of: Array(0..<ready.count), instead: natural, at: moment.moment, isTold)
    }
    trace.decisions += 1
    return take(index, of: ready.count)
  }

  private func moment() -> DecisionMoment {
    let entry = currentTask < 0 ? nil : tasks.entries[currentTask]
    return DecisionMoment(
      current: currentTask, decision: trace.decisions, step: trace.jobs,
      moment: ForcedSwitch.Moment(
        task: entry?.key ?? 0, step: entry?.steps ?? 0, point: point))
  }

  /// Writes down a choice that is an exception.
  ///
  /// - Parameters:
  ///   - index: What was chosen; `nil` where the current job goes on.
  ///   - candidates: What could be chosen.
  ///   - natural: What runs by itself; `nil` for the current job.
  ///   - moment: When it was.
  ///   - isTold: Whether exceptions are still to come that the run was told.
  private mutating func note(
    _ index: Int?, of candidates: [Int], instead natural: Int?, at moment: ForcedSwitch.Moment,
    _ isTold: Bool
  ) {
    lastWasForced = index != natural
    if !isTold {
      for other in candidates where other != index && other != natural {
        let key = tasks.entries[ready[other].task].key
        alternatives.append(ForcedSwitch(after: moment, run: key))
      }
    }
    guard lastWasForced, let index else { return }
    switches?.append(ForcedSwitch(after: moment, run: tasks.entries[ready[index].task].key))
  }

  /// Takes a job that runs in the middle of the current one, or `nil` where the current one goes on.
  ///
  /// - Parameter running: The places of the jobs that are in the middle of something.
  /// - Returns: The job, taken out.
  mutating func nextPreempting(_ running: [Place]) -> ReadyJob? {
    guard !ready.isEmpty else { return nil }
    let free = (0..<ready.count).filter { index in
      let place = ready[index].place
      return !place.isExclusive || !running.contains(place)
    }
    guard !free.isEmpty else { return nil }
    point += 1
    let moment = moment()
    defer { trace.decisions += 1 }
    let isTold = switches != nil && chooser.script.unmet > 0
    let index = chooser.choosePreempting(from: free, of: ready, of: tasks, at: moment)
    if switches != nil { note(index, of: free, instead: nil, at: moment.moment, isTold) }
    guard let index else { return nil }
    let pointBefore = point
    defer { point = pointBefore }
    return take(index, of: ready.count + 1)
  }

  /// Goes on with the task that a preempting job has interrupted.
  mutating func resume(task: Int, point: Int) {
    currentTask = task
    self.point = point
  }

  private mutating func take(_ index: Int, of count: Int) -> ReadyJob {
    trace.append(choice: index, of: count)
    let job = ready.take(index)
    chooser.took(job, from: &ready)
    currentTask = job.task
    point = 0
    tasks.countStep(of: job.task)
    account.jobs += 1
    if count > 1 { account.choices += 1 }
    let mixed = (account.fingerprint ^ tasks.entries[job.task].key) &* 0x9E37_79B9_7F4A_7C15
    account.fingerprint = mixed ^ (mixed >> 32)
    return job
  }
}
