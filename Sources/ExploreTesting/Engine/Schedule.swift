/// The ready jobs of one run.
///
/// The schedule also asks its chooser for the next job.
struct Schedule {
  private var ready = ReadyList()
  private(set) var tasks = TaskTable()
  private(set) var chooser: Chooser
  /// The index of the task whose job runs now or ran last; −1 before the first.
  private(set) var currentTask = -1
  private(set) var trace = ExplorationTrace()
  private(set) var account = ExplorationAccount()

  /// The number of jobs that have arrived.
  private var arrivals = 0
  /// Whether an actor runs its jobs in the order in which they arrived.
  private let isFifo: Bool
  /// Whether a job has arrived for an actor that was created before the run.
  ///
  /// Only one run of the process may use such actors at a time.
  private var usesOthersActors = false
  /// Whether this run has the turn to use actors that were created before it.
  var hasTurn = false
  /// Whether the scenario has called `calm`, after which no faults happen.
  var isCalm = false
  /// The forced switches so far; `nil` if they are not collected.
  private var switches: [ForcedSwitch]?
  /// Whether the last job was chosen by a forced switch.
  private(set) var lastWasForced = false

  init(_ chooser: Chooser, isRecorded: Bool = false, isFifo: Bool = false) {
    self.chooser = chooser
    self.isFifo = isFifo
    account.runs = 1
    switches = isRecorded ? [] : nil
  }

  /// Creates the schedule of a run of which only the plan and the forced switches are known.
  init(of plan: RunPlan, taking switches: [ForcedSwitch]) {
    self.init(plan.chooser)
    self.switches = switches
  }

  /// The forced switches so far; empty if they are not collected.
  var taken: [ForcedSwitch] { switches ?? [] }

  var isEmpty: Bool { ready.isEmpty }

  /// Whether the run has to wait for its turn before it continues.
  var waitsForTurn: Bool { usesOthersActors && !hasTurn }

  /// The runtime's number for the current task; 0 before the first.
  var currentNumber: UInt64 { currentTask < 0 ? 0 : tasks.entries[currentTask].number }

  /// Adds a job that is ready to run.
  ///
  /// - Parameters:
  ///   - job: The job to add.
  ///   - origin: Where the job comes from.
  ///   - isOwn: Whether a thread of the run sent the job.
  /// - Returns: The job with its task and its actor.
  @discardableResult
  mutating func add(_ job: UnownedJob, _ origin: JobOrigin, isOwn: Bool) -> ReadyJob {
    let isFirst = tasks.entries.isEmpty
    if !isOwn, !isFirst {
      if account.foreignJobs == 0 { account.foreignFunctions = origin.functions(of: job) }
      account.foreignJobs += 1
    }
    let task =
      origin.taskNumber == 0 && !isFirst
      ? max(currentTask, 0)
      : tasks.ordinal(of: origin.taskNumber, madeBy: isOwn ? currentTask : -1)
    let isTask = origin.taskNumber != 0 || isFirst || origin.drains
    let ready = ReadyJob(
      job: job, task: task, place: origin.place, drains: origin.drains,
      isShared: origin.isShared,
      queues: !origin.drains && (origin.queues || isFifo && origin.place.isExclusive),
      owner: origin.isForeign ? .visitor : .run,
      part: isTask ? 0 : tasks.countPart(of: task))
    if ready.isShared {
      usesOthersActors = true
      account.noteShared(ready.place)
    }
    add(ready)
    return ready
  }

  /// Adds the job that wakes a sleeping task.
  mutating func add(_ job: UnownedJob, ofSleeping task: Int) {
    add(
      ReadyJob(
        job: job, task: task, place: .anywhere, drains: false, queues: false, owner: .runtime,
        part: tasks.countPart(of: task)))
  }

  private mutating func add(_ job: ReadyJob) {
    var job = job
    job.order = arrivals
    arrivals += 1
    chooser.meet(job)
    ready.append(job)
  }

  /// Counts a sleep on a standard clock, which takes virtual time.
  mutating func countSleep() { account.sleeps += 1 }

  /// Removes all ready jobs, and returns those of tasks outside the run.
  mutating func removeAll() -> [ReadyJob] {
    defer { ready.removeAll() }
    return ready.all.filter { $0.owner == .visitor }
  }

  /// Removes and returns a job that empties an actor's queue; `nil` if none is ready.
  mutating func takeDrain() -> ReadyJob? {
    ready.jobs.firstIndex { $0.drains }.map { ready.take($0) }
  }

  /// Removes and returns the job that runs next; `nil` if none is ready.
  mutating func next() -> ReadyJob? {
    ready.isEmpty ? nil : next(from: 0..<ready.count, at: moment(at: 0))
  }

  /// Removes and returns a job that interrupts the current job; `nil` if the current job continues.
  ///
  /// - Parameters:
  ///   - running: The actors on which the interrupted jobs run.
  ///   - point: The number of the point, combined with the number of jobs that have run there.
  /// - Returns: The job.
  mutating func nextPreempting(_ running: [Place], at point: Int) -> ReadyJob? {
    let moment = moment(at: point)
    guard !ready.isEmpty,
      !moment.moment.isInterruption || chooser.interrupts(turn: moment.moment.turn)
    else { return nil }
    let free = (0..<ready.count).filter { index in
      let place = ready[index].place
      // A task outside the run would block for a lock that the interrupted job holds.
      guard ready[index].owner != .visitor else { return false }
      // In the middle of a job, the run cannot wait for its turn to use a shared actor.
      return !place.isExclusive || !running.contains(place) && (hasTurn || !ready[index].isShared)
    }
    return free.isEmpty ? nil : next(from: free, at: moment)
  }

  private mutating func next(
    from candidates: some RandomAccessCollection<Int>, at moment: DecisionMoment
  ) -> ReadyJob? {
    let index = chooser.choose(from: candidates, of: ready, of: tasks, at: moment)
    if switches != nil {
      lastWasForced = index != Script.natural(ready, at: moment)
      if lastWasForced, let index {
        let key = tasks.key(of: ready[index])
        switches?.append(ForcedSwitch(after: moment.moment, run: key))
      }
    }
    // A run may pass many moments at which another job could run, so the hash contains only those at which another job did run.
    if index != nil, moment.isInJob { account.mix(UInt64(moment.moment.point)) }
    return index.map { take($0, of: ready.count + (moment.isInJob ? 1 : 0)) }
  }

  /// Chooses one of `count` options; 0 is the default.
  mutating func decide(_ name: String, of count: Int, isFault: Bool) -> Int {
    guard count > 1, currentTask >= 0, !(isFault && isCalm) else { return 0 }
    let (task, step) = progress
    let moment = ForcedSwitch.Moment(
      task: task, step: step, point: tasks.countChance(of: currentTask))
    let choice = chooser.decide(
      name, of: count, isFault: isFault,
      at: DecisionMoment(current: currentTask, step: trace.jobs, moment: moment))
    trace.chances.append(ExplorationTrace.Choice(index: choice, count: count))
    account.choices += 1
    account.mix(UInt64(choice) + 1)
    if choice > 0 { switches?.append(ForcedSwitch(after: moment, run: UInt64(choice))) }
    return choice
  }

  /// The key of the current task, and the number of its jobs so far.
  var progress: (task: UInt64, step: Int) {
    let entry = currentTask < 0 ? nil : tasks.entries[currentTask]
    return (entry?.key ?? 0, entry?.steps ?? 0)
  }

  private func moment(at point: Int) -> DecisionMoment {
    let (task, step) = progress
    return DecisionMoment(
      current: currentTask, step: trace.jobs,
      moment: ForcedSwitch.Moment(task: task, step: step, point: point))
  }

  /// Records that the current job passes a point at which other jobs may interrupt it.
  ///
  /// - Returns: The task of the job, for ``resume(task:)``, and the number of the point.
  mutating func passPoint(isInterruption: Bool) -> (task: Int, point: Int) {
    (currentTask, tasks.countPoint(of: currentTask, isInterruption: isInterruption))
  }

  /// Continues a task that another one interrupted.
  mutating func resume(task: Int) { currentTask = task }

  private mutating func take(_ index: Int, of count: Int) -> ReadyJob {
    trace.choices.append(ExplorationTrace.Choice(index: index, count: count))
    let job = ready.take(index)
    currentTask = job.task
    tasks.countStep(of: job.task)
    account.jobs += 1
    if count > 1 { account.choices += 1 }
    account.mix(tasks.entries[job.task].key)
    return job
  }
}
