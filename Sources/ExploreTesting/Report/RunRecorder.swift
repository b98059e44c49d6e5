private import ExploreTestingRuntime
internal import Synchronization

/// Writes down one run, step by step, for a report.
///
/// Only runs that are repeated for a report have a recorder.
final class RunRecorder: Sendable {
  private struct State {
    var run = RecordedRun()
    /// The run as it was when it was over; `nil` before.
    var result: RecordedRun?
    /// The tasks by lane, kept alive by the recorder; `nil` for a task that has not been seen as a job.
    var tasks: [AnyObject?] = []
    var watches: [Watch] = []
    /// The executors for which the tasks of lanes wait.
    var arrivals: [Int: String] = [:]
    /// The lanes whose tasks sleep, and for how long if that is known.
    var sleepers: [Int: Duration?] = [:]
    /// The jobs that run and their steps: the last one, and those that it preempts.
    var open: [(job: Int, step: Int)] = []
    var current: Int? { open.last?.step }
    /// Where errors were thrown, by their addresses.
    var thrown: [UInt: UInt] = [:]

    /// The lanes by the addresses of their tasks.
    var numbers: [UInt: Int] = [:]
  }

  private struct Watch {
    let name: String
    let value: @Sendable () -> String
    var last: String
  }

  private let state = OwnMutex(State())
  /// Whether watched values are being read, which takes place between two steps.
  let isReading = Atomic(false)
  /// The steps that no report shows: to read what each task does then would take longer than the run.
  private let hidden: Range<Int>

  /// - Parameter jobs: About how many jobs the run has, where that is known.
  init(jobs: Int = 0) { hidden = 1_000..<max(1_000, jobs - 1_000) }

  /// The run; what its tasks do after ``finish()`` is not a part of it.
  var run: RecordedRun { state.withLock { $0.result ?? $0.run } }

  /// Ends the run.
  func finish() {
    state.withLock { state in
      for lane in state.run.lanes.indices where state.run.lanes[lane].state == .unknown {
        lookAt(lane, &state)
      }
      state.result = state.run
    }
  }

  /// Takes note of a job that arrives.
  func meet(_ ready: ReadyJob) {
    let isTask = unsafe knot_task_number(ready.job.pointer) != 0 && ready.owner == .run
    let executor = executorName(ready)
    state.withLock { state in
      while state.run.lanes.count <= ready.task {
        state.run.lanes.append(RecordedRun.Lane())
        state.tasks.append(nil)
      }
      if isTask, state.tasks[ready.task] == nil {
        state.tasks[ready.task] = ready.job.object
        state.numbers[address(of: ready.job.object)] = ready.task
        let task = unsafe KnotTask(of: ready.job.object)
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
        state.run.steps[step].deeds.append(.resumes(ready.task))
      }
    }
  }

  /// Takes note of a fault, or of a choice that is not the plain one.
  func happens(_ words: String, isFault: Bool) {
    state.withLock { state in
      if let step = state.current {
        state.run.steps[step].deeds.append(.happens(words, isFault: isFault))
      }
    }
  }

  /// Takes note of an error that is about to be thrown; a return address is behind the call.
  func noteThrow(of error: UInt, at place: UInt) {
    state.withLock { $0.thrown[error] = place - 1 }
  }

  /// Takes note of the error with which the scenario ends.
  func fails(with error: any Error) {
    // An error is one pointer, to a box.
    let address = unsafe [error].withUnsafeBytes { unsafe $0.load(as: UInt.self) }
    fails("throws \(error)", of: address)
  }

  /// Takes note that the current step makes the run fail; the report is in ASCII.
  func fails(_ words: String, of error: UInt = 0) {
    let text = String(words.prefix(100).map { $0.isASCII && !$0.isNewline ? $0 : "?" })
    state.withLock { state in
      guard let step = state.current else { return }
      state.run.steps[step].deeds.append(.fails(text, at: state.thrown[error]))
    }
  }

  /// Takes note of a task whose continuation is resumed a second time.
  func resumesAgain(_ lane: Int) {
    state.withLock { state in
      if let step = state.current { state.run.steps[step].deeds.append(.resumesAgain(lane)) }
    }
  }

  /// Takes note of a task that goes to sleep.
  func sleeps(_ lane: Int, for time: Duration?) {
    state.withLock { $0.sleepers[lane] = .some(time) }
  }

  /// Takes note of a job that is about to run.
  func begin(_ ready: ReadyJob, isForced: Bool, at time: Duration) {
    let executor = executorName(ready)
    state.withLock { state in
      state.arrivals[ready.task] = nil
      let wasAsleep = state.sleepers.removeValue(forKey: ready.task) != nil
      // The deadline of a sleep that was cancelled comes all the same, and wakes nobody.
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

  /// Takes note of the end of a job.
  func end(_ ready: ReadyJob, readsForeignClock: Bool) {
    let step = state.withLock { state -> Int? in
      // Jobs that preempted it have later steps.
      guard let index = state.open.lastIndex(where: { $0.job == ready.order })
      else { return nil }
      let step = state.open.remove(at: index).step
      guard !hidden.contains(step) else {
        state.run.lanes[ready.task].state = .unknown
        return nil
      }
      state.run.steps[step].deeds += lookAtCancellations(&state).map { .cancels($0) }
      if readsForeignClock { state.run.steps[step].deeds.append(.readsForeignClock) }
      let functions = lookAt(ready.task, &state)
      state.run.steps[step].state = state.run.lanes[ready.task].state
      state.run.steps[step].functions = functions
      if state.run.lanes[ready.task].origin.count < 200 {
        state.run.lanes[ready.task].origin.insert(contentsOf: functions, at: 0)
      }
      return step
    }
    guard let step else { return }
    isReading.store(true, ordering: .relaxed)
    lookAtWatches(step)
    isReading.store(false, ordering: .relaxed)
  }

  /// Takes note of what a task waits for.
  ///
  /// - Returns: The functions in which it is suspended; empty where it has ended.
  @discardableResult
  private func lookAt(_ lane: Int, _ state: inout State) -> [UInt] {
    let task = unsafe state.tasks[lane].flatMap { unsafe KnotTask(of: $0) }
    state.run.lanes[lane].state = unsafe taskState(of: lane, task, state)
    guard state.run.lanes[lane].state != .ended, let functions = unsafe task?.functions
    else { return [] }
    state.run.lanes[lane].functions = functions
    return functions
  }

  /// Watches a value from now on.
  func watch(_ name: String, _ value: @escaping @Sendable () -> String) {
    let first = value()
    state.withLock { $0.watches.append(Watch(name: name, value: value, last: first)) }
  }

  /// The lanes that have been cancelled since the last look.
  @discardableResult
  private func lookAtCancellations(_ state: inout State) -> [Int] {
    // In a run of very many tasks the look at each of them after each step would take too long.
    guard state.tasks.count <= 100 else { return [] }
    return state.tasks.indices.filter { lane in
      guard state.run.lanes[lane].state != .ended, !state.run.lanes[lane].isCancelled,
        let task = state.tasks[lane], unsafe KnotTask(of: task)?.isCancelled == true
      else { return false }
      state.run.lanes[lane].isCancelled = true
      return true
    }
  }

  private func lookAtWatches(_ step: Int) {
    for (index, watch) in state.withLock({ $0.watches }).enumerated() {
      let value = watch.value()
      guard value != watch.last else { continue }
      state.withLock { state in
        state.watches[index].last = value
        state.run.steps[step].changes.append("\(watch.name): \(watch.last) -> \(value)")
      }
    }
  }

  private func executorName(_ ready: ReadyJob) -> String? {
    if ready.place.isMain { return "MainActor" }
    // The task that waits for the actor keeps it alive.
    return unsafe ready.place.actor.map(typeName)
  }

  private func taskState(
    of lane: Int, _ task: KnotTask?, _ state: State
  ) -> RecordedRun.TaskState {
    if let time = state.sleepers[lane] { return .sleeps(time) }
    guard let task = unsafe task else { return .unknown }
    let now = unsafe RecordedRun.TaskState(task, lane: { state.numbers[$0] })
    guard now == .ready, let place = state.arrivals[lane], !place.isEmpty else { return now }
    return .hops(to: place)
  }
}
