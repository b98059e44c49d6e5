internal import ExploreSeam
private import ExploreTestingRuntime
internal import Synchronization
internal import Testing

/// One run: it keeps the ready jobs and runs one at a time.
///
/// It has no thread of its own: jobs run on the thread that calls ``runReady(limit:)``.
final class Explorer: Sendable {
  @safe struct State {
    var schedule: Schedule
    var isClosed = false
    /// Whether the run was given up, because its scenario does not return.
    var isAbandoned = false
    /// The result of the scenario; `nil` while it runs.
    var result: Result<Void, any Error>?
    /// The driver, while it waits for jobs from outside of the run.
    var driver: Parked?
    /// The tasks that wait until nothing else is ready, in the order in which they came.
    var idlers: [Parked] = []
    var clocks: [any DrivenClock] = []
    /// The jobs of sleeping tasks, which wait for the time that the standard clocks show.
    var timers = DeadlineQueue<(job: UnownedJob, task: Int)>()
    /// Draws whether a near deadline comes although jobs are ready; `nil` in a run in which none does.
    var haste: SeededGenerator?
    /// At one such moment in so many it does.
    var rarity = 4
    /// Texts on what tasks wait for, and how many there have been.
    var notes: [Int: @Sendable () -> String] = [:]
    var lastNote = 0
    /// The places of the jobs that are running, each in the middle of the one before it.
    var running = [Place.anywhere]
    /// The executor of the run's tasks.
    var executor: UnownedTaskExecutor?
    /// The tasks of the run; `nil` if nobody asks whether they end.
    var tasks: [UInt64: KeptTask]?
  }

  let state: OwnMutex<State>
  private let jobLimit: Int
  /// Whether the lengths of sleeps are drawn.
  let variesDurations: Bool
  /// The run as the runtime knows it.
  let run: RuntimeRun

  /// The seed of the run.
  let seed: UInt64
  /// The task that makes the run's detached tasks, so that they get the test's task-local values.
  let testContext: TestContext?

  /// Writes the run down; `nil` in a run that no report needs.
  let recorder: RunRecorder?

  init(
    seed: UInt64, schedule: sending Schedule, jobLimit: Int, variesDurations: Bool = false,
    context: TestContext? = nil, recorder: RunRecorder? = nil
  ) {
    self.seed = seed
    var callbacks = Explorer.callbacks
    if recorder == nil { unsafe (callbacks.tell, callbacks.throws) = (nil, nil) }
    run = RuntimeRun(callbacks, interrupts: schedule.chooser.hasInterruptions)
    run.setDate(Explorer.date - Explorer.start.components.seconds)
    self.recorder = recorder
    testContext = context
    state = unsafe OwnMutex(State(schedule: schedule))
    self.jobLimit = jobLimit
    self.variesDurations = variesDurations
  }

  deinit { run.destroy() }

  /// The explorer whose scenario the current code belongs to.
  static var current: Explorer? {
    unsafe knot_current_owner().map(at) ?? (Exploring.run as? RunExecutor)?.explorer
  }

  /// Takes a job that may run from now on.
  func add(_ job: UnownedJob, _ arrival: JobArrival) {
    // The current job has created or resumed another task, which may run before this job goes on.
    if take(job, arrival) { knot_pass_point() }
  }

  /// Takes a job; returns whether others may come at once.
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
          state.tasks?[origin.taskNumber] = KeptTask(task: job.object)
        }
        recorder?.meet(ready)
      }
      return (
        state.isClosed && (!state.isAbandoned || origin.isForeign), state.driver.take(), current
      )
    }
    // A task that outlives its run goes on where it would run without one. If the scenario never returned,
    // its tasks do not go on: they may use objects that the test had only lent to the scenario.
    if goesElsewhere { origin.forward(job) }
    driver?.resume()
    // A task that hops ends its own job, so there is nothing to interrupt.
    return isOwn && origin.taskNumber != 0 && origin.taskNumber != current
  }

  /// Calls a function with the current thread working for the run: tasks that it starts belong to the run.
  func perform<Result>(_ body: () -> Result) -> Result { run.perform(body) }

  /// Keeps the tasks of the run, to ask at its end whether they have ended.
  func keepTasks() { state.withLock { $0.tasks = [:] } }

  /// The number of kept tasks that have not ended.
  var unfinishedTasks: Int {
    state.withLock { $0.tasks ?? [:] }.values.count {
      unsafe KnotTask(of: $0.task)?.state != knotTaskEnded
    }
  }

  var schedule: Schedule { state.withLock { $0.schedule } }
  var hasReadyJob: Bool { state.withLock { !$0.schedule.isEmpty } }
  var result: Result<Void, any Error>? { state.withLock { $0.result } }

  /// Why ``runReady(limit:)`` runs no further job.
  enum Pause {
    /// None is ready.
    case idle
    /// The limit is met, and jobs are ready.
    case limit
    /// The run has to wait for its turn at actors that were there before it.
    case turn
  }

  /// Runs jobs, one at a time, until there is a reason to pause.
  ///
  /// - Parameter limit: How many jobs the run may have had then, in all.
  /// - Returns: The reason.
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

  /// Writes down that a job is about to run.
  private func note(_ ready: ReadyJob, in state: State) {
    recorder?.begin(ready, isForced: state.schedule.lastWasForced, at: state.timers.now)
  }

  private func carryOut(_ ready: ReadyJob) {
    let readings = recorder == nil ? 0 : run.foreignReadings
    defer { recorder?.end(ready, readsForeignClock: run.foreignReadings > readings) }
    if knot_is_supported() { return run.carryOut(ready) }
    guard let executor = unsafe state.withLock({ unsafe $0.executor }) else { return }
    unsafe ready.job.runSynchronously(on: executor)
  }

  /// What the runtime's side asks of a run.
  ///
  /// Where code creates or resumes a task, or unlocks a lock, it may hold locks, so other jobs run on threads of their
  /// own. A run that ends the process prints its lanes, where it is written down. A continuation that is resumed a
  /// second time fails its run.
  private static let callbacks: KnotCallbacks = unsafe KnotCallbacks(
    make: { unsafe answer($0) { $0.testContext?.makePending() } },
    interrupt: { owner in
      unsafe answer(owner) { explorer in
        explorer.letOthersCome(isInterruption: true) { explorer.run.lend($0) }
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
    misuse: { owner, number in
      unsafe answer(owner) { explorer in
        let lane = explorer.state.withLock { $0.schedule.tasks.ordinal(of: number) }
        if let lane { explorer.recorder?.resumesAgain(lane) }
        Verdict.record(
          "explore: a continuation is resumed a second time; its task does not wait for it",
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

  /// Answers what a run asks of its explorer, in the middle of a job into which no other one comes meanwhile.
  private static func answer<Answer>(
    _ owner: UnsafeRawPointer, _ body: (Explorer) -> Answer
  ) -> Answer {
    knot_hold()
    defer { knot_let_go() }
    return unsafe body(at(owner))
  }

  /// The explorer that is the owner of a run.
  private static func at(_ owner: UnsafeRawPointer) -> Explorer {
    unsafe Unmanaged<Explorer>.fromOpaque(owner).takeUnretainedValue()
  }

  /// Runs other jobs in the middle of the current one, if the schedule says so.
  func preempt() { letOthersCome(isInterruption: false) { $0() } }

  /// Code of the scenario that runs on another thread is not preempted.
  private func letOthersCome(isInterruption: Bool, _ perform: (@escaping () -> Void) -> Void) {
    guard run.isCurrent else { return }
    let interrupted = state.withLock { state in
      state.isClosed ? nil : state.schedule.passPoint(isInterruption: isInterruption)
    }
    guard let (task, point) = interrupted else { return }
    // A task that spins until this one goes on must not keep it from that.
    for turn in 0..<64 {
      let next = state.withLock { state -> ReadyJob? in
        // A preempting job may be preempted in turn; the stack bounds how often.
        guard state.running.count <= 16, state.schedule.trace.jobs < jobLimit,
          let ready = state.schedule.nextPreempting(state.running, at: point | turn)
        else { return nil }
        state.running.append(ready.place)
        note(ready, in: state)
        return ready
      }
      guard let next else { return }
      perform { [self] in
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

  /// Ends the run: jobs that are ready are dropped.
  ///
  /// Before, the queues of actors that others use are emptied. They would wait for ever for a job that is dropped.
  /// Jobs of its tasks that come later run outside of the exploration; those of a run that was given up are dropped, too.
  func close() {
    let hasTurn = state.withLock { $0.schedule.hasTurn }
    for _ in 0..<(hasTurn ? jobLimit : 0) {
      guard let drain = state.withLock({ $0.schedule.takeDrain() }) else { break }
      perform { carryOut(drain) }
    }
    state.withLock {
      $0.isClosed = true
      $0.schedule.removeAll()
      $0.clocks = []
    }
    run.close()
    if hasTurn { OthersActors.giveTurn() }
  }
}
