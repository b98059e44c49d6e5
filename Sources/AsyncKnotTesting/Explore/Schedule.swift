/// The ready jobs of one run, and which of them runs next: a function of the seed and of nothing else.
struct Schedule {
  private var ready = ReadyList()
  private(set) var tasks = TaskTable()
  private var chooser: Chooser
  /// The task whose job runs now, or ran last; −1 before the first.
  private(set) var currentTask = -1
  private(set) var trace = ExplorationTrace()
  private(set) var account = RunAccount()

  init(seed: UInt64, strategy: ExplorationStrategy, length: Int) {
    chooser = Chooser(strategy, seed: seed, length: length)
  }

  var isEmpty: Bool { ready.isEmpty }

  /// Takes a job that may run from now on.
  ///
  /// - Parameter isOwn: Whether a thread that works for the run sends it.
  mutating func add(_ job: UnownedJob, _ origin: JobOrigin, isOwn: Bool) {
    let isFirst = tasks.entries.isEmpty
    if !isOwn, !isFirst { account.foreignJobs += 1 }
    let task =
      origin.taskNumber == 0 && !isFirst
      ? max(currentTask, 0)
      : tasks.ordinal(of: origin.taskNumber, madeBy: isOwn ? currentTask : -1)
    add(
      ReadyJob(
        job: job, task: task, place: origin.place, drains: origin.drains, queues: origin.queues,
        owner: origin.isForeign ? .visitor : .run))
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
    chooser.meet(&job)
    ready.append(job)
  }

  /// Drops what is ready; a job that is dropped never runs.
  mutating func removeAll() { ready.removeAll() }

  /// Takes the job that runs next.
  mutating func next() -> ReadyJob? {
    guard !ready.isEmpty else { return nil }
    let index = chooser.choose(from: ready, current: currentTask, decision: trace.decisions)
    trace.decisions += 1
    return take(index, of: ready.count)
  }

  /// Takes a job that runs in the middle of the current one, or `nil` where the current one goes on.
  ///
  /// - Parameter running: The places of the jobs that are in the middle of something.
  mutating func nextPreempting(_ running: [Place]) -> ReadyJob? {
    guard !ready.isEmpty else { return nil }
    let free = (0..<ready.count).filter { index in
      let place = ready[index].place
      return !place.isExclusive || !running.contains(place)
    }
    guard !free.isEmpty else { return nil }
    defer { trace.decisions += 1 }
    return chooser.choosePreempting(
      from: free, of: ready, current: currentTask, decision: trace.decisions
    ).map { take($0, of: ready.count + 1) }
  }

  /// Goes on with the task that a preempting job has interrupted.
  mutating func resume(task: Int) { currentTask = task }

  private mutating func take(_ index: Int, of count: Int) -> ReadyJob {
    trace.append(choice: index, of: count)
    let job = ready.take(index)
    chooser.took(job, from: &ready)
    currentTask = job.task
    tasks.countStep(of: job.task)
    account.jobs += 1
    if count > 1 { account.choices += 1 }
    let mixed = (account.fingerprint ^ tasks.entries[job.task].key) &* 0x9E37_79B9_7F4A_7C15
    account.fingerprint = mixed ^ (mixed >> 32)
    return job
  }
}
