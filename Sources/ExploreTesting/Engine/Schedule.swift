/// The ready jobs of one run, and the choice of the next one, which depends on the seed alone.
struct Schedule {
  private var ready = ReadyList()
  private(set) var tasks = TaskTable()
  private(set) var chooser: Chooser
  /// The task whose job runs now, or ran last; −1 before the first.
  private(set) var currentTask = -1
  private(set) var trace = ExplorationTrace()
  private(set) var account = ExplorationAccount()

  /// How many jobs have arrived.
  private var arrivals = 0
  /// Whether jobs of one actor run in the order in which they came.
  private let isFifo: Bool
  /// Whether a job has come for an actor that was there before the run; one run of the process may use such actors at a
  /// time.
  private var usesOthersActors = false
  /// Whether this run may.
  var hasTurn = false
  /// Whether no fault comes any more.
  var isCalm = false
  /// The forced switches so far; `nil` if they are not collected.
  private var switches: [ForcedSwitch]?
  /// Whether the job that was taken last is a forced switch.
  private(set) var lastWasForced = false

  init(_ chooser: Chooser, isRecorded: Bool = false, isFifo: Bool = false) {
    self.chooser = chooser
    self.isFifo = isFifo
    account.runs = 1
    switches = isRecorded ? [] : nil
  }

  /// The forced switches that were carried out; empty if they are not collected.
  var taken: [ForcedSwitch] { switches ?? [] }

  /// How many of them are chances, and how many are switches: what a report tries to have little of.
  var size: (chances: Int, switches: Int) {
    let chances = taken.count { $0.after.isChance }
    return (chances, taken.count - chances)
  }

  var isEmpty: Bool { ready.isEmpty }

  /// Whether the run has to get its turn before it goes on.
  var waitsForTurn: Bool { usesOthersActors && !hasTurn }

  /// The number of the current task; 0 before the first.
  var currentNumber: UInt64 { currentTask < 0 ? 0 : tasks.entries[currentTask].number }

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
    if !isOwn, !isFirst {
      if account.foreignJobs == 0 { account.foreignFunctions = origin.functions(of: job) }
      account.foreignJobs += 1
    }
    let task =
      origin.taskNumber == 0 && !isFirst
      ? max(currentTask, 0)
      : tasks.ordinal(of: origin.taskNumber, madeBy: isOwn ? currentTask : -1)
    let ready = ReadyJob(
      job: job, task: task, place: origin.place, drains: origin.drains,
      isShared: origin.isShared,
      queues: origin.queues || (isFifo && origin.place.isExclusive),
      owner: origin.isForeign ? .visitor : .run)
    if ready.isShared {
      usesOthersActors = true
      account.noteShared(ready.place)
    }
    add(ready)
    return ready
  }

  /// Takes the job with which a task wakes from its sleep.
  mutating func add(_ job: UnownedJob, ofSleeping task: Int) {
    add(
      ReadyJob(
        job: job, task: task, place: .anywhere, drains: false, queues: false, owner: .runtime))
  }

  private mutating func add(_ job: ReadyJob) {
    var job = job
    job.order = arrivals
    arrivals += 1
    chooser.meet(job)
    ready.append(job)
  }

  /// Takes note that a task sleeps until the time of the run has moved.
  mutating func countSleep() { account.sleeps += 1 }

  /// Drops all ready jobs; they never run.
  mutating func removeAll() { ready.removeAll() }

  /// Takes a job that empties the queue of an actor; `nil` where none is ready.
  mutating func takeDrain() -> ReadyJob? {
    ready.jobs.firstIndex { $0.drains }.map { ready.take($0) }
  }

  /// Takes the job that runs next; `nil` where none is ready.
  mutating func next() -> ReadyJob? {
    ready.isEmpty ? nil : next(from: 0..<ready.count, at: moment(at: 0))
  }

  /// Takes a job that runs in the middle of the current one, or `nil` where the current one goes on.
  ///
  /// - Parameters:
  ///   - running: The places of the jobs that are in the middle of something.
  ///   - point: The number of the point, and how many jobs have run there.
  /// - Returns: The job, taken out.
  mutating func nextPreempting(_ running: [Place], at point: Int) -> ReadyJob? {
    let moment = moment(at: point)
    guard !ready.isEmpty,
      !moment.moment.isInterruption || chooser.interrupts(turn: moment.moment.turn)
    else { return nil }
    let free = (0..<ready.count).filter { index in
      let place = ready[index].place
      // In the middle of a job a run cannot wait for its turn.
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
        let key = tasks.entries[ready[index].task].key
        switches?.append(ForcedSwitch(after: moment.moment, run: key))
      }
    }
    return index.map { take($0, of: ready.count + (moment.isInJob ? 1 : 0)) }
  }

  /// Decides between so many ways, of which the first is the plain one.
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

  /// The key of the current task, and how many jobs it has had.
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

  /// Takes note that the current job passes a point at which others may come.
  ///
  /// - Returns: The task of the job, for ``resume(task:)``, and the number of the point.
  mutating func passPoint(isInterruption: Bool) -> (task: Int, point: Int) {
    (currentTask, tasks.countPoint(of: currentTask, isInterruption: isInterruption))
  }

  /// Goes on with a task that another one has interrupted.
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
