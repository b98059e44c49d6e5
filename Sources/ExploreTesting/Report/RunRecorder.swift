private import ExploreTestingRuntime
internal import Synchronization

/// Records one run step by step for a report.
///
/// Runs that no report needs have no recorder.
final class RunRecorder: Sendable {
  private struct State {
    var run = RecordedRun()
    /// The finished recording; `nil` until `finish()` is called.
    var result: RecordedRun?
    /// The tasks by lane; `nil` for a task that has not had a job yet, is not readable, or was not created in the run.
    var tasks: [SeenTask?] = []
    var watches: [Watch] = []
    /// The actor on which each ready task will run next, by lane; empty for no actor.
    var arrivals: [Int: String] = [:]
    /// The lanes of sleeping tasks, with the length of the sleep if it is known.
    var sleepers: [Int: Duration?] = [:]
    /// The running jobs and their steps; each job follows the jobs that it interrupts.
    var open: [(job: Int, step: Int)] = []
    var current: Int? { open.last?.step }
    /// The locations where errors were thrown, by the address of the error.
    var thrown: [UInt: UInt] = [:]

    /// The lane of each task, by the task's address.
    var numbers: [UInt: Int] = [:]
  }

  private struct Watch {
    let name: String
    /// Reads the value; `nil` if its actor was released.
    let value: @Sendable () -> String?
    var last: String

    init(name: String, value: @escaping @Sendable () -> String?) {
      self.name = name
      self.value = value
      last = Self.read(value) ?? ""
    }

    /// Reads a value without the isolation checks that the compiler adds to some closures.
    ///
    /// This is safe, because no other job runs during the read.
    static func read(_ value: () -> String?) -> String? {
      knot_set_reading(true)
      defer { knot_set_reading(false) }
      return value()
    }
  }

  private let state = OwnMutex(State())
  /// The steps that no report shows.
  ///
  /// The recorder does not read the task's state at these steps, because that would take longer than the run.
  private let hidden: Range<Int>

  /// - Parameter jobs: The approximate number of jobs of the run, if it is known.
  init(jobs: Int = 0) { hidden = 1_000..<max(1_000, jobs - 1_000) }

  /// The run up to ``finish()``.
  var run: RecordedRun { state.withLock { $0.result ?? $0.run } }

  /// Ends the recording.
  func finish() {
    state.withLock { state in
      for lane in state.run.lanes.indices where state.run.lanes[lane].state == .unknown {
        lookAt(lane, &state)
      }
      state.result = state.run
    }
  }

  /// Records that a job has become ready.
  func meet(_ ready: ReadyJob) {
    let isTask = unsafe knot_task_number(ready.job.pointer) != 0 && ready.owner == .run
    let executor = executorName(ready)
    state.withLock { state in
      while state.run.lanes.count <= ready.task {
        state.run.lanes.append(RecordedRun.Lane())
        state.tasks.append(nil)
      }
      if isTask, state.tasks[ready.task] == nil {
        let seen = SeenTask(of: ready.job)
        let task = unsafe seen.read()
        state.tasks[ready.task] = unsafe task == nil ? nil : seen
        state.numbers[seen.address] = ready.task
        let parent = unsafe task.map { unsafe UInt(bitPattern: $0.parent) }
        state.run.lanes[ready.task].name =
          unsafe task?.givenName ?? (ready.task == 0 ? "scenario" : nil)
        state.run.lanes[ready.task].parent = parent.flatMap { state.numbers[$0] }
      }
      if state.run.lanes[ready.task].home == nil { state.run.lanes[ready.task].home = executor }
      state.arrivals[ready.task] = executor ?? ""
      if case .awaitsContinuation = state.run.lanes[ready.task].state, let step = state.current,
        state.run.steps[step].lane != ready.task
      {
        state.run.steps[step].effects.append(.resumes(ready.task))
      }
    }
  }

  /// Records a fault, or a choice other than the first.
  func happens(_ words: String, isFault: Bool) {
    state.withLock { state in
      if let step = state.current {
        state.run.steps[step].effects.append(.happens(words, isFault: isFault))
      }
    }
  }

  /// Records an error that is about to be thrown.
  ///
  /// A return address points past the call, so 1 is subtracted.
  func noteThrow(of error: UInt, at place: UInt) {
    state.withLock { $0.thrown[error] = place - 1 }
  }

  /// Records the error that ends the scenario.
  func fails(with error: any Error) {
    // An `any Error` is a single pointer to a box.
    let address = unsafe [error].withUnsafeBytes { unsafe $0.load(as: UInt.self) }
    fails("throws \(error)", of: address)
  }

  /// Records that the current step makes the run fail.
  ///
  /// Line breaks and characters outside ASCII become "?", because the report is ASCII and shows each step on one line.
  func fails(_ words: String, of error: UInt = 0) {
    let text = String(words.prefix(100).map { $0.isASCII && !$0.isNewline ? $0 : "?" })
    state.withLock { state in
      guard let step = state.current else { return }
      state.run.steps[step].effects.append(.fails(text, at: state.thrown[error]))
    }
  }

  /// Records that the continuation of a task is resumed a second time.
  func resumesAgain(_ lane: Int) {
    state.withLock { state in
      if let step = state.current { state.run.steps[step].effects.append(.resumesAgain(lane)) }
    }
  }

  /// Records that a task goes to sleep.
  func sleeps(_ lane: Int, for time: Duration?) {
    state.withLock { $0.sleepers[lane] = .some(time) }
  }

  /// Records a job that is about to run.
  func begin(_ ready: ReadyJob, isForced: Bool, at time: Duration) {
    let executor = executorName(ready)
    state.withLock { state in
      state.arrivals[ready.task] = nil
      let wasAsleep = state.sleepers.removeValue(forKey: ready.task) != nil
      // The deadline of a cancelled sleep still arrives, but does not wake a task.
      guard wasAsleep || ready.owner != .runtime else { return }
      if !hidden.contains(state.run.steps.count) { lookAtCancellations(&state) }
      let interrupted = state.current.map { state.run.steps[$0].lane }
      state.open.append((ready.order, state.run.steps.count))
      state.run.steps.append(
        RecordedRun.Step(
          lane: ready.task, executor: executor, isForced: isForced, interrupted: interrupted,
          time: time))
    }
  }

  /// Records the end of a job.
  func end(_ ready: ReadyJob, readsForeignClock: Bool) {
    let step = state.withLock { state -> Int? in
      // The last open step may belong to another job that interrupted this one, so the step is found by its job.
      guard let index = state.open.lastIndex(where: { $0.job == ready.order })
      else { return nil }
      let step = state.open.remove(at: index).step
      guard !hidden.contains(step) else {
        state.run.lanes[ready.task].state = .unknown
        return nil
      }
      state.run.steps[step].effects += lookAtCancellations(&state).map { .cancels($0) }
      if readsForeignClock { state.run.steps[step].effects.append(.readsForeignClock) }
      let functions = lookAt(ready.task, &state)
      state.run.steps[step].state = state.run.lanes[ready.task].state
      state.run.steps[step].functions = functions
      if state.run.lanes[ready.task].origin.count < 200 {
        state.run.lanes[ready.task].origin.insert(contentsOf: functions, at: 0)
      }
      return step
    }
    if let step { lookAtWatches(step) }
  }

  /// Records what a task is waiting for.
  ///
  /// - Returns: The functions in which the task is suspended; empty if it has ended or is not readable.
  @discardableResult
  private func lookAt(_ lane: Int, _ state: inout State) -> [UInt] {
    let task = unsafe state.tasks[lane]?.read()
    state.run.lanes[lane].state = unsafe taskState(of: lane, task, state)
    guard state.run.lanes[lane].state != .ended, let functions = unsafe task?.functions
    else { return [] }
    state.run.lanes[lane].functions = functions
    return functions
  }

  /// Starts watching a value.
  func watch(_ name: String, _ value: @escaping @Sendable () -> String?) {
    let watch = Watch(name: name, value: value)
    state.withLock { $0.watches.append(watch) }
  }

  /// Returns the lanes of the tasks that were cancelled since the last call.
  @discardableResult
  private func lookAtCancellations(_ state: inout State) -> [Int] {
    // With many tasks, checking each of them after each step would take too long.
    guard state.tasks.count <= 100 else { return [] }
    return state.tasks.indices.filter { lane in
      guard state.run.lanes[lane].state != .ended, !state.run.lanes[lane].isCancelled,
        unsafe state.tasks[lane]?.read()?.isCancelled == true
      else { return false }
      state.run.lanes[lane].isCancelled = true
      return true
    }
  }

  private func lookAtWatches(_ step: Int) {
    for (index, watch) in state.withLock({ $0.watches }).enumerated() {
      guard let value = Watch.read(watch.value), value != watch.last else { continue }
      state.withLock { state in
        state.watches[index].last = value
        state.run.steps[step].changes.append("\(watch.name): \(watch.last) -> \(value)")
      }
    }
  }

  private func executorName(_ ready: ReadyJob) -> String? {
    if ready.place.isMain { return "MainActor" }
    // The task that is waiting for the actor keeps it alive.
    return unsafe ready.place.actor.map(typeName)
  }

  private func taskState(
    of lane: Int, _ task: KnotTask?, _ state: State
  ) -> RecordedRun.TaskState {
    if let time = state.sleepers[lane] { return .sleeps(time) }
    guard let task = unsafe task else { return state.tasks[lane] == nil ? .unknown : .ended }
    let now = unsafe RecordedRun.TaskState(task, lane: { state.numbers[$0] })
    guard now == .ready, let place = state.arrivals[lane], !place.isEmpty else { return now }
    return .hops(to: place)
  }
}
