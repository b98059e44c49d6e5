internal import AsyncKnot
internal import Synchronization

/// The executor of one run: it keeps the ready jobs and runs one at a time.
///
/// It has no thread. Whoever calls ``runReady(limit:)`` lends it the thread it is on.
final class Explorer: TaskExecutor, Preempting {
  private struct State {
    var schedule: Schedule
    var isClosed = false
    /// What the scenario ended with.
    var result: Result<Void, any Error>?
    /// The driver, while it waits for work from outside.
    var driver: CheckedContinuation<Void, Never>?
    /// Who waits until nothing else is ready.
    var idlers: [CheckedContinuation<Void, Never>] = []
    var clocks: [TestClock] = []
    var notes: [(id: Int, text: @Sendable () -> String)] = []
    var nextNote = 0
    /// How many jobs are running, each in the middle of the one before.
    var depth = 0
    /// The thread that runs jobs now; 0 when none does.
    var thread: UInt = 0
  }

  private let state: Mutex<State>
  private let jobLimit: Int

  init(schedule: sending Schedule, jobLimit: Int) {
    state = Mutex(State(schedule: schedule))
    self.jobLimit = jobLimit
  }

  /// The explorer whose scenario the current task belongs to.
  static var current: Explorer? { Spawn.executor as? Explorer }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (isClosed, driver) = state.withLock { state in
      if !state.isClosed { state.schedule.add(job) }
      return (state.isClosed, state.driver.take())
    }
    // What outlives the run goes on where it would have run without one.
    if isClosed { globalConcurrentExecutor.enqueue(job) }
    driver?.resume()
  }

  var trace: ExplorationTrace { state.withLock { $0.schedule.trace } }
  var hasReadyJob: Bool { state.withLock { !$0.schedule.isEmpty } }
  var result: Result<Void, any Error>? { state.withLock { $0.result } }

  /// Runs jobs, one at a time, until none is ready or the run has had `limit` jobs in all.
  ///
  /// - Returns: `false` where the limit was met with jobs still ready.
  func runReady(limit: Int) -> Bool {
    state.withLock { $0.thread = currentThread() }
    defer { state.withLock { $0.thread = 0 } }
    while true {
      let (job, jobs) = state.withLock { state -> (UnownedJob?, Int) in
        let jobs = state.schedule.trace.jobs
        return (jobs < limit ? state.schedule.next() : nil, jobs)
      }
      guard let job else { return jobs < limit || !hasReadyJob }
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Runs other jobs in the middle of the current one, if the schedule says so.
  ///
  /// Code of the scenario that runs elsewhere, on the main actor for one, is let alone.
  func preempt() {
    let thread = currentThread()
    // A task that spins until this one goes on must not keep it from that.
    for _ in 0..<64 {
      let next = state.withLock { state -> (UnownedJob, Int)? in
        // A preempting job may be preempted in turn; the stack bounds how often.
        guard state.thread == thread, !state.isClosed, state.depth < 16,
          state.schedule.trace.jobs < jobLimit
        else { return nil }
        let chain = state.schedule.currentChain
        guard let job = state.schedule.nextPreempting() else { return nil }
        state.depth += 1
        return (job, chain)
      }
      guard let (job, chain) = next else { return }
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      state.withLock {
        $0.depth -= 1
        $0.schedule.resume(chain: chain)
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
  }
}

extension Explorer {
  /// Suspends until nothing else is ready.
  func untilIdle() async {
    await withCheckedContinuation { continuation in
      let isClosed = state.withLock { state in
        if !state.isClosed { state.idlers.append(continuation) }
        return state.isClosed
      }
      if isClosed { continuation.resume() }
    }
  }

  /// Wakes the first of those who wait until nothing else is ready.
  func resumeIdler() -> Bool {
    let idler = state.withLock { $0.idlers.isEmpty ? nil : $0.idlers.removeFirst() }
    idler?.resume()
    return idler != nil
  }

  /// Makes the explorer move this clock when nothing else is ready.
  func drive(_ clock: TestClock) {
    state.withLock { state in
      if !state.clocks.contains(where: { $0 === clock }) { state.clocks.append(clock) }
    }
  }

  var clocks: [TestClock] { state.withLock { $0.clocks } }

  /// Suspends until a job comes from outside or the scenario ends, or ``wakeDriver()`` is called.
  func untilOutsideWork() async {
    await withCheckedContinuation { continuation in
      let isDue = state.withLock { state in
        let isDue = !state.schedule.isEmpty || state.result != nil
        if !isDue { state.driver = continuation }
        return isDue
      }
      if isDue { continuation.resume() }
    }
  }

  func wakeDriver() { state.withLock { $0.driver.take() }?.resume() }

  /// Notes what somebody waits for, for the report of a stall.
  func addNote(_ text: @escaping @Sendable () -> String) -> Int {
    state.withLock { state in
      state.nextNote += 1
      state.notes.append((state.nextNote, text))
      return state.nextNote
    }
  }

  func removeNote(_ id: Int) { state.withLock { $0.notes.removeAll { $0.id == id } } }

  var notes: [String] { state.withLock { $0.notes }.map { $0.text() } }
}
