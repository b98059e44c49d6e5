/// The ready jobs of one run, and the choice of the next one, which depends on the seed alone.
struct Schedule {
  private var ready = ReadyList()
  private(set) var tasks = TaskTable()
  private var chooser: Chooser
  /// The task whose job runs now, or ran last; −1 before the first.
  private(set) var currentTask = -1
  private(set) var trace = ExplorationTrace()
  private(set) var account = ExplorationAccount()

  /// How many jobs have arrived.
  private var arrivals = 0
  /// How many preemption points the current job has passed.
  private(set) var point = 0
  /// How many deadlines came early since the last job.
  private var deadlines = 0
  /// Whether jobs of one actor run in the order in which they came.
  private let isFifo: Bool
  /// The forced switches so far; `nil` if they are not collected.
  private(set) var switches: [ForcedSwitch]?
  /// The switches that could have been forced after the last given one, if they are collected; not more than
  /// can be tried.
  private(set) var alternatives: [ForcedSwitch] = []
  /// How many runs a shrinker makes at most.
  static let mostAlternatives = 100_000
  /// Whether the job that was taken last is a forced switch.
  private(set) var lastWasForced = false

  init(_ chooser: Chooser, isRecorded: Bool = false, isFifo: Bool = false) {
    self.chooser = chooser
    self.isFifo = isFifo
    account.runs = 1
    switches = isRecorded ? [] : nil
  }

  /// Whether deadlines may come although jobs are ready.
  var hasEarlyDeadlines: Bool { chooser.hasEarlyDeadlines }
  /// The schedule that the run was told to follow, and how far it could.
  var script: Script { chooser.script }
  /// The position of the exhaustive search, if the run is part of one.
  var cursor: SearchCursor { chooser.cursor }

  var isEmpty: Bool { ready.isEmpty }

  /// Takes a job that may run from now on.
  ///
  /// - Parameters:
  ///   - job: The job.
  ///   - origin: Where it comes from.
  ///   - isOwn: Whether a thread that works for the run sends it.
  /// - Returns: The job with its task and its place.
  @discardableResult
  mutating func add(_ job: UnownedJob, _ origin: JobOrigin, isOwn: Bool) -> ReadyJob {
    let isFirst = tasks.entries.isEmpty
    if !isOwn, !isFirst { account.foreignJobs += 1 }
    let task =
      origin.taskNumber == 0 && !isFirst
      ? max(currentTask, 0)
      : tasks.ordinal(of: origin.taskNumber, madeBy: isOwn ? currentTask : -1)
    let ready = ReadyJob(
      job: job, task: task, place: origin.place, drains: origin.drains,
      isShared: origin.isShared,
      queues: origin.queues || (isFifo && origin.place.isExclusive),
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

  private mutating func add(_ job: ReadyJob) {
    var job = job
    job.order = arrivals
    arrivals += 1
    chooser.meet(job)
    ready.append(job)
  }

  /// Drops all ready jobs; they never run.
  mutating func removeAll() { ready.removeAll() }

  /// Takes the job that runs next; `nil` where none is ready.
  mutating func next() -> ReadyJob? {
    guard !ready.isEmpty else { return nil }
    let moment = moment(at: deadlines)
    let isTold = switches != nil && chooser.script.unmet > 0
    let index = chooser.choose(from: ready, of: tasks, at: moment)
    if switches != nil {
      let natural = Script.natural(ready, current: currentTask)
      note(index, of: 0..<ready.count, instead: natural, at: moment.moment, isTold)
    }
    return take(index, of: ready.count)
  }

  /// Whether the nearest deadline comes now, although jobs are ready.
  mutating func takesDeadline() -> Bool {
    guard !ready.isEmpty else { return false }
    let moment = moment(at: deadlines)
    let isTold = switches != nil && chooser.script.unmet > 0
    let forced = ForcedSwitch(after: moment.moment, run: ForcedSwitch.deadline)
    let isTaken = chooser.takesDeadline(at: moment.moment)
    if isTaken {
      deadlines += 1
      switches?.append(forced)
    } else if switches != nil, !isTold, alternatives.count < Self.mostAlternatives {
      alternatives.append(forced)
    }
    return isTaken
  }

  private func moment(at point: Int) -> DecisionMoment {
    let entry = currentTask < 0 ? nil : tasks.entries[currentTask]
    return DecisionMoment(
      current: currentTask, step: trace.jobs,
      moment: ForcedSwitch.Moment(
        task: entry?.key ?? 0, step: entry?.steps ?? 0, point: point))
  }

  /// Collects a forced switch, and the switches that could have been forced instead.
  ///
  /// - Parameters:
  ///   - index: The job that was chosen; `nil` if the current job goes on.
  ///   - candidates: The jobs that could be chosen.
  ///   - natural: The job that the default rule chooses; `nil` for the current job.
  ///   - moment: The moment of the choice.
  ///   - isTold: Whether switches that the run was told are still to come.
  private mutating func note(
    _ index: Int?, of candidates: some Sequence<Int>, instead natural: Int?,
    at moment: ForcedSwitch.Moment, _ isTold: Bool
  ) {
    lastWasForced = index != natural
    if !isTold, alternatives.count < Self.mostAlternatives {
      for other in candidates where other != index && other != natural {
        let key = tasks.entries[ready[other].task].key
        alternatives.append(ForcedSwitch(after: moment, run: key))
      }
    }
    guard lastWasForced, let index else { return }
    switches?.append(ForcedSwitch(after: moment, run: tasks.entries[ready[index].task].key))
  }

  /// Takes note that the current job passes a preemption point.
  ///
  /// - Returns: The task of the job and the number of the point, for ``resume(task:point:)``.
  mutating func passPoint() -> (task: Int, point: Int) {
    point += 1
    return (currentTask, point)
  }

  /// Takes a job that runs in the middle of the current one, or `nil` where the current one goes on.
  ///
  /// - Parameters:
  ///   - running: The places of the jobs that are in the middle of something.
  ///   - turn: How many jobs have run at this preemption point.
  /// - Returns: The job, taken out.
  mutating func nextPreempting(_ running: [Place], turn: Int) -> ReadyJob? {
    let free = (0..<ready.count).filter { index in
      let place = ready[index].place
      return !place.isExclusive || !running.contains(place)
    }
    guard !free.isEmpty else { return nil }
    let moment = moment(at: point << 16 | turn)
    let isTold = switches != nil && chooser.script.unmet > 0
    let index = chooser.choosePreempting(from: free, of: ready, of: tasks, at: moment)
    if switches != nil { note(index, of: free, instead: nil, at: moment.moment, isTold) }
    return index.map { take($0, of: ready.count + 1) }
  }

  /// Goes on with the task that a preempting job has interrupted.
  mutating func resume(task: Int, point: Int) {
    currentTask = task
    self.point = point
  }

  private mutating func take(_ index: Int, of count: Int) -> ReadyJob {
    trace.append(choice: index, of: count)
    let job = ready.take(index)
    currentTask = job.task
    point = 0
    deadlines = 0
    tasks.countStep(of: job.task)
    account.jobs += 1
    if count > 1 { account.choices += 1 }
    let mixed = (account.fingerprint ^ tasks.entries[job.task].key) &* 0x9E37_79B9_7F4A_7C15
    account.fingerprint = mixed ^ (mixed >> 32)
    return job
  }
}
