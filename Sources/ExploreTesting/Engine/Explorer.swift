internal import ExploreSeam
private import ExploreTestingRuntime
internal import Synchronization
internal import Testing

/// One run of an exploration: keeps the ready jobs, and runs them one at a time.
///
/// A run has no thread of its own: jobs run on the thread that calls ``runReady(limit:)``, except some interrupting jobs.
final class Explorer: Sendable {
  @safe struct State {
    var schedule: Schedule
    var isClosed = false
    /// Whether the run, or a run around it, ended before its scenario returned.
    var isAbandoned = false
    /// The result of the scenario; `nil` while it runs.
    var result: Result<Void, any Error>?
    /// The task that drives the run, while that task is waiting for jobs from outside the run.
    var driver: Parked?
    /// The tasks that are waiting until no job is ready, in the order in which they arrived.
    var idlers: [Parked] = []
    var clocks: [any DrivenClock] = []
    /// The jobs of sleeping tasks, each of which waits until the virtual time reaches its deadline.
    var timers = DeadlineQueue<(job: UnownedJob, task: Int)>()
    /// Decides whether a near deadline arrives early; `nil` in a run without early deadlines.
    var haste: SeededGenerator?
    /// The inverse of the probability that a near deadline arrives early.
    var rarity = 4
    /// The texts that waiting tasks passed to `awaited`, by number.
    var notes: [Int: @Sendable () -> String] = [:]
    var lastNote = 0
    /// The actors of the running jobs; each job after the first interrupted another one.
    var running = [Place.anywhere]
    /// The executor of the run's tasks; a weak reference would slow down each use of the executor.
    var executor: Unmanaged<RunExecutor>?
    /// The tasks of the run, keyed by the runtime's task numbers; `nil` unless the exploration checks that all of them end.
    var tasks: [UInt64: SeenTask]?
    /// The closures that the scenario passed to `watch`.
    var watches: [@Sendable () -> String?] = []
    /// The open runs that were created in jobs of this run.
    var inner: [Explorer] = []
  }

  let state: OwnMutex<State>
  private let jobLimit: Int
  /// Whether the seed decides the length of sleeps.
  let variesDurations: Bool
  /// The part of the run that the C code uses.
  let run: RuntimeRun

  /// The outer run, one of whose jobs created this run; `nil` if there is none.
  let outer = unsafe knot_current_owner().map(at)

  /// The seed of the run.
  let seed: UInt64
  /// Creates the run's detached tasks, so that they get the test's task-local values.
  let testContext: TestContext?

  /// Records the run; `nil` unless a report needs it.
  let recorder: RunRecorder?

  init(
    seed: UInt64, schedule: sending Schedule, jobLimit: Int, variesDurations: Bool = false,
    context: TestContext? = nil, recorder: RunRecorder? = nil
  ) {
    self.seed = seed
    var callbacks = Explorer.callbacks
    if recorder == nil { unsafe (callbacks.tell, callbacks.throws) = (nil, nil) }
    run = RuntimeRun(callbacks, interrupts: schedule.chooser.hasInterruptions)
    run.setDate(.seconds(Explorer.date) - Explorer.start)
    self.recorder = recorder
    testContext = context
    state = unsafe OwnMutex(State(schedule: schedule))
    self.jobLimit = jobLimit
    self.variesDurations = variesDurations
    outer?.state.withLock { $0.inner.append(self) }
  }

  deinit { run.destroy() }

  /// The explorer of the run that the current code belongs to.
  static var current: Explorer? {
    unsafe knot_current_owner().map(at) ?? (Exploring.run as? RunExecutor)?.explorer
  }

  /// Adds a job that is ready to run.
  func add(_ job: UnownedJob, _ arrival: JobArrival) {
    // The current job has created or resumed a task, which may run before the job continues.
    if take(job, arrival) { knot_pass_point() }
  }

  /// Adds a job, and returns whether other jobs may now interrupt the current job.
  private func take(_ job: UnownedJob, _ arrival: JobArrival) -> Bool {
    knot_hold()
    defer { knot_let_go() }
    let origin = JobOrigin(of: job, arrival)
    let isOwn = run.isCurrent
    let (goesElsewhere, driver, current) = state.withLock { state in
      let current = state.schedule.currentNumber
      if !state.isClosed {
        let ready = state.schedule.add(job, origin, isOwn: isOwn)
        if state.tasks != nil, origin.taskNumber != 0, !origin.isForeign {
          state.tasks?[origin.taskNumber] = SeenTask(of: job)
        }
        recorder?.meet(ready)
      }
      return (
        state.isClosed && (!state.isAbandoned || origin.isForeign), state.driver.take(), current
      )
    }
    // A task that outlives its run continues where it would run outside an exploration. If the scenario did not return, its
    // tasks must not continue, because they may use objects that the test only lent to the scenario.
    if goesElsewhere { origin.forward(job) }
    driver?.resume()
    // A task that hops ends its own job, so there is nothing to interrupt.
    return isOwn && origin.taskNumber != 0 && origin.taskNumber != current
  }

  /// Calls a function while the current thread works for the run.
  ///
  /// Tasks that the function starts belong to the run.
  func perform<Result>(_ body: () -> Result) -> Result { run.perform(body) }

  /// Adds a value whose changes a report shows.
  ///
  /// A run without a report also keeps the closure, so that runs with and without a report release objects at the same time.
  func watch(_ name: String, _ value: @escaping @Sendable () -> String?) {
    state.withLock { $0.watches.append(value) }
    recorder?.watch(name, value)
  }

  /// Starts to record the run's tasks, so that their state can be read at the end.
  func noteTasks() { state.withLock { $0.tasks = [:] } }

  /// The number of recorded tasks that have not ended.
  var unfinishedTasks: Int {
    state.withLock { $0.tasks ?? [:] }.values.count {
      guard let task = unsafe $0.read() else { return false }
      return unsafe task.state != knotTaskEnded
    }
  }

  var schedule: Schedule { state.withLock { $0.schedule } }
  var hasReadyJob: Bool { state.withLock { !$0.schedule.isEmpty } }
  var result: Result<Void, any Error>? { state.withLock { $0.result } }

  /// Why ``runReady(limit:)`` returned.
  enum Pause {
    /// No job is ready.
    case idle
    /// The limit was reached while jobs were ready.
    case limit
    /// The run has to wait for its turn to use actors that were created before it.
    case turn
  }

  /// Runs jobs, one at a time, until the run has to pause.
  ///
  /// - Parameter limit: The total number of jobs after which the run pauses.
  /// - Returns: The reason for the pause.
  @discardableResult
  func runReady(limit: Int) -> Pause {
    perform {
      while true {
        let (ready, pause) = state.withLock { state -> (ReadyJob?, Pause) in
          let jobs = state.schedule.trace.jobs
          guard jobs < limit else { return (nil, state.schedule.isEmpty ? .idle : .limit) }
          takeEarlyDeadline(in: &state)
          guard !state.schedule.waitsForTurn else { return (nil, .turn) }
          guard let ready = state.schedule.next() else { return (nil, .idle) }
          state.running[0] = ready.place
          note(ready, in: state)
          return (ready, .idle)
        }
        guard let ready else { return pause }
        carryOut(ready)
      }
    }
  }

  /// Records that a job is about to run.
  private func note(_ ready: ReadyJob, in state: State) {
    recorder?.begin(ready, isForced: state.schedule.lastWasForced, at: state.timers.now)
  }

  private func carryOut(_ ready: ReadyJob) {
    let readings = recorder == nil ? 0 : run.foreignReadings
    defer { recorder?.end(ready, readsForeignClock: run.foreignReadings > readings) }
    if knot_is_supported() { return run.carryOut(ready) }
    guard let executor = unsafe state.withLock({ unsafe $0.executor }) else { return }
    unsafe ready.job.runSynchronously(on: executor.takeUnretainedValue().asUnownedTaskExecutor())
  }

  /// The functions that the C part of the kit calls for a run.
  ///
  /// Code that creates or resumes a task or unlocks a lock may hold other locks, so an interrupting job runs on a separate
  /// thread. A recorded run that ends the process prints its lanes. A run fails if it resumes a continuation twice.
  private static let callbacks: KnotCallbacks = unsafe KnotCallbacks(
    make: { owner in
      unsafe answer(owner) { explorer in
        // Code of the run creates the task, so the run's executor exists.
        guard let run = unsafe explorer.state.withLock({ unsafe $0.executor }) else { return }
        unsafe explorer.testContext?.makePending(in: run.takeUnretainedValue())
      }
    },
    interrupt: { owner in
      unsafe answer(owner) { explorer in
        explorer.letOthersCome(isInterruption: true)
      }
    },
    leave: { unsafe answer($0) { UInt64($0.state.withLock { $0.schedule.currentTask }) } },
    comeBack: { owner, task in
      unsafe answer(owner) { $0.state.withLock { $0.schedule.resume(task: Int(task)) } }
    },
    sleep: { owner, job, deadline in
      let job = unsafe unsafeBitCast(job, to: UnownedJob.self)
      unsafe answer(owner) { explorer in
        let now = Explorer.start + explorer.state.withLock { $0.timers.now }
        explorer.add(job, after: .nanoseconds(deadline) - now)
      }
    },
    meet: { owner, task in
      let number = unsafe knot_task_number(task)
      let seen = SeenTask(of: unsafe unsafeBitCast(task, to: UnownedJob.self))
      unsafe answer(owner) { explorer in
        explorer.state.withLock { $0.tasks?[number] = seen }
      }
    },
    misuse: { owner, number in
      unsafe answer(owner) { explorer in
        let lane = explorer.state.withLock { $0.schedule.tasks.ordinal(of: number) }
        if let lane { explorer.recorder?.resumesAgain(lane) }
        Verdict.record(
          "explore: a continuation was resumed a second time, although its task no longer waits for it. Resume it exactly once",
          sourceLocation: explorer.testContext?.sourceLocation ?? #_sourceLocation)
      }
    },
    decide: { owner, name, count, isFault in
      let name = unsafe String(cString: name)
      return unsafe answer(owner) { explorer in
        explorer.state.withLock { state in
          state.isClosed ? 0 : state.schedule.decide(name, of: count, isFault: isFault)
        }
      }
    },
    tell: { owner, words, isFault in
      unsafe answer(owner) { unsafe $0.recorder?.happens(String(cString: words), isFault: isFault) }
    },
    throws: { owner, error, place in
      let (error, place) = (UInt(bitPattern: error), UInt(bitPattern: place))
      unsafe answer(owner) { $0.recorder?.noteThrow(of: error, at: place) }
    },
    draw: { owner, count in unsafe answer(owner) { $0.draw(count) } },
    lastWords: { owner, isStuck in
      unsafe answer(owner) { explorer in
        let lanes = explorer.recorder.map { "\(LaneReport(run: $0.run))" }
        if let lanes { writeError("\n\(lanes)\n") }
        if !isStuck {
          explorer.testContext?.atDeath?(explorer.seed, explorer.schedule, lanes ?? "")
        }
        if isStuck { writeError("\(HangReport())\n") }
      }
    })

  /// Calls `body` with the explorer of a run, to answer a call from the C part.
  ///
  /// No other job can interrupt `body`.
  private static func answer<Answer>(
    _ owner: UnsafeRawPointer, _ body: (Explorer) -> Answer
  ) -> Answer {
    knot_hold()
    defer { knot_let_go() }
    return unsafe body(at(owner))
  }

  /// Converts the owner of a run, as the C part stores it, to the explorer.
  private static func at(_ owner: UnsafeRawPointer) -> Explorer {
    unsafe Unmanaged<Explorer>.fromOpaque(owner).takeUnretainedValue()
  }

  /// Runs other jobs at a preemption point in the middle of the current job, if the schedule requires it.
  func preempt() { letOthersCome(isInterruption: false) }

  /// Does the work of `preempt()` and, if `isInterruption` is `true`, of an interruption that the C part requests.
  ///
  /// Does nothing on a thread outside the run.
  private func letOthersCome(isInterruption: Bool) {
    guard run.isCurrent else { return }
    let interrupted = state.withLock { state in
      state.isClosed ? nil : state.schedule.passPoint(isInterruption: isInterruption)
    }
    guard let (task, point) = interrupted else { return }
    // The loop is bounded, because a task that spins until the interrupted task continues would keep the loop running forever.
    for turn in 0..<64 {
      let next = state.withLock { state -> ReadyJob? in
        // Jobs can interrupt each other; the depth is bounded to limit the number of threads.
        guard state.running.count <= 16, state.schedule.trace.jobs < jobLimit,
          let ready = state.schedule.nextPreempting(state.running, at: point | turn)
        else { return nil }
        state.running.append(ready.place)
        note(ready, in: state)
        return ready
      }
      guard let next else { return }
      run.lend { [self] in
        carryOut(next)
        state.withLock { state in
          state.running.lastIndex(of: next.place).map { _ = state.running.remove(at: $0) }
        }
      }
      state.withLock { $0.schedule.resume(task: task) }
    }
  }

  func finish(_ result: Result<Void, any Error>) {
    state.withLock { state in
      state.result = result
      return state.driver.take()
    }?.resume()
  }

  /// Ends the run and drops the ready jobs of its tasks.
  ///
  /// Before that, the run empties the queues of actors that code outside the run also uses, because a dropped job would block
  /// such a queue forever. Later jobs of the run's tasks run outside the exploration, or are dropped if the run was abandoned.
  /// An abandoned run also ends the runs inside it, because their drivers are tasks of the abandoned run.
  func close() {
    let hasTurn = state.withLock { $0.schedule.hasTurn }
    for _ in 0..<(hasTurn ? jobLimit : 0) {
      guard let drain = state.withLock({ $0.schedule.takeDrain() }) else { break }
      perform { carryOut(drain) }
    }
    let (watches, visitors, abandoned) = state.withLock { state in
      state.isClosed = true
      state.clocks = []
      defer { state.watches = [] }
      return (state.watches, state.schedule.removeAll(), state.isAbandoned ? state.inner : [])
    }
    run.close()
    // A task outside the run may have arrived since the run last looked for ready jobs.
    for visitor in visitors { visitor.place.forward(visitor.job) }
    withExtendedLifetime(watches) {}
    for inner in abandoned {
      inner.state.withLock { $0.isAbandoned = true }
      inner.close()
    }
    OthersActors.leave(self)
    outer?.state.withLock { outer in outer.inner.removeAll { $0 === self } }
  }
}
