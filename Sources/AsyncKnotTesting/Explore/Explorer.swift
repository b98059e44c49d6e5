internal import AsyncKnot
internal import Synchronization

/// One run: it keeps the ready jobs and runs one at a time.
///
/// It has no thread. Whoever calls ``runReady(limit:)`` lends it the thread it is on.
final class Explorer: Preempting {
  @safe struct State {
    var schedule: Schedule
    var isClosed = false
    /// What the scenario ended with.
    var result: Result<Void, any Error>?
    /// The driver, while it waits for work from outside.
    var driver: Parked?
    /// Who waits until nothing else is ready.
    var idlers: [Parked] = []
    var clocks: [any DrivenClock] = []
    var timers = TimerQueue()
    var notes: [(id: Int, text: @Sendable () -> String)] = []
    var nextNote = 0
    /// The places of the jobs that are running, each in the middle of the one before.
    var running = [Place.anywhere]
    /// The thread that runs jobs now; 0 when none does.
    var thread: UInt = 0
    /// The executor of the run's tasks, where each job is run on it.
    fileprivate(set) var executor: UnownedTaskExecutor?
    /// How often the driver has waited for work from outside.
    var waits = 0
    /// Whether the driver has waited long enough.
    var isPatienceOver = false
  }

  let state: Mutex<State>
  private let jobLimit: Int
  /// The run as the runtime knows it; `nil` where the platform has no such mechanism.
  let run = RuntimeRun()

  /// The seed of the run.
  let seed: UInt64

  /// In whose name the run's detached tasks are made.
  let testContext: TestContext?

  /// What writes down what happens, in a run that is replayed for a report.
  let recorder: RunRecorder?

  init(
    seed: UInt64, schedule: sending Schedule, jobLimit: Int, context: TestContext? = nil,
    recorder: RunRecorder? = nil
  ) {
    self.seed = seed
    self.recorder = recorder
    testContext = context
    state = unsafe Mutex(State(schedule: schedule))
    self.jobLimit = jobLimit
    if context != nil { run?.makeDetachedTasksForTheTest() }
  }

  deinit { run?.destroy() }

  /// Has jobs run on an executor, where the mechanism does not do it.
  func runJobs(on executor: UnownedTaskExecutor) {
    state.withLock { unsafe $0.executor = executor }
  }

  /// The explorer whose scenario the current code belongs to.
  static var current: Explorer? {
    RuntimeRun.currentOwner ?? (Spawn.executor as? RunExecutor)?.explorer
  }

  /// Takes a job that may run from now on.
  func add(_ job: UnownedJob, _ arrival: JobArrival) {
    let origin = run == nil ? JobOrigin() : JobOrigin(of: job, arrival)
    let isOwn = isCurrentThread
    let (isClosed, driver) = state.withLock { state in
      if !state.isClosed {
        let ready = state.schedule.add(job, origin, isOwn: isOwn)
        recorder?.meet(ready, madeBy: state.schedule.currentTask, name: origin.name)
      }
      return (state.isClosed, state.driver.take())
    }
    // What outlives the run goes on where it would have run without one.
    if isClosed { origin.forward(job) }
    driver?.resume()
  }

  /// Whether the calling thread works for this run.
  private var isCurrentThread: Bool {
    run?.isCurrent ?? (state.withLock { $0.thread } == currentThread())
  }

  /// Does something on the run's behalf: what it starts belongs to the run.
  func perform<Result>(_ body: () -> Result) -> Result {
    let thread = currentThread()
    let threadBefore = state.withLock { state in
      defer { state.thread = thread }
      return state.thread
    }
    defer { state.withLock { $0.thread = threadBefore } }
    return run?.perform(body) ?? body()
  }

  /// Tells the runtime which tasks are younger than the run.
  func tellFirstTask() {
    if let first = state.withLock({ $0.schedule.tasks.entries.first }) {
      run?.setFirstTask(first.number)
    }
  }

  var trace: ExplorationTrace { state.withLock { $0.schedule.trace } }
  var hasReadyJob: Bool { state.withLock { !$0.schedule.isEmpty } }
  var result: Result<Void, any Error>? { state.withLock { $0.result } }

  /// What the run was made of so far.
  var account: RunAccount {
    state.withLock { state in
      var account = state.schedule.account
      account.waits = state.waits
      account.escapedTasks = run?.escapedTasks ?? 0
      return account
    }
  }

  /// Runs jobs, one at a time, until none is ready or the run has had `limit` jobs in all.
  ///
  /// - Returns: `false` where the limit was met with jobs still ready.
  func runReady(limit: Int) -> Bool {
    perform {
      while true {
        let (ready, jobs) = state.withLock { state -> (ReadyJob?, Int) in
          let jobs = state.schedule.trace.jobs
          guard jobs < limit, let ready = state.schedule.next() else { return (nil, jobs) }
          state.running[0] = ready.place
          recorder?.begin(ready, isForced: state.schedule.lastWasForced)
          return (ready, jobs)
        }
        guard let ready else { return jobs < limit || !hasReadyJob }
        carryOut(ready)
      }
    }
  }

  private func carryOut(_ ready: ReadyJob) {
    let step = recorder.map { $0.stepCount - 1 }
    defer { if let step { recorder?.end(ready, step: step) } }
    if let run { return run.carryOut(ready) }
    guard let executor = unsafe state.withLock({ unsafe $0.executor }) else { return }
    unsafe ready.job.runSynchronously(on: executor)
  }

  /// Runs other jobs in the middle of the current one, if the schedule says so.
  ///
  /// Code of the scenario that runs elsewhere is let alone.
  func preempt() {
    let thread = currentThread()
    // A task that spins until this one goes on must not keep it from that.
    for _ in 0..<64 {
      let next = state.withLock { state -> (ReadyJob, task: Int, point: Int)? in
        // A preempting job may be preempted in turn; the stack bounds how often.
        guard state.thread == thread, !state.isClosed, state.running.count <= 16,
          state.schedule.trace.jobs < jobLimit
        else { return nil }
        let task = state.schedule.currentTask
        let ready = state.schedule.nextPreempting(state.running)
        let point = state.schedule.point
        guard let ready else { return nil }
        state.running.append(ready.place)
        recorder?.begin(ready, isForced: state.schedule.lastWasForced)
        return (ready, task, point)
      }
      guard let (ready, task, point) = next else { return }
      carryOut(ready)
      state.withLock {
        $0.running.removeLast()
        $0.schedule.resume(task: task, point: point)
      }
    }
  }

  func finish(_ result: Result<Void, any Error>) {
    state.withLock { state in
      state.result = result
      return state.driver.take()
    }?.resume()
  }

  /// Lets what is enqueued from now on run elsewhere, and drops what is ready.
  func close() {
    state.withLock {
      $0.isClosed = true
      $0.schedule.removeAll()
      $0.clocks = []
    }
    run?.close()
  }
}
