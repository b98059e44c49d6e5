internal import ExploreTestingRuntime

/// A run as the Swift runtime knows it: see `Design/control.md`.
///
/// Its functions may be called from any thread. `destroy()` frees it.
@safe struct RuntimeRun: Sendable {
  /// The C functions that take this pointer may be called from any thread.
  nonisolated(unsafe) private let run: OpaquePointer

  /// - Parameters:
  ///   - callbacks: What the run asks of the kit.
  ///   - interrupts: Whether other jobs may come between two instructions of one.
  init(_ callbacks: KnotCallbacks, interrupts: Bool) {
    unsafe run = knot_run_create(callbacks, interrupts)
  }

  /// Tells the C side which executors the run's tasks, main actor and actors have.
  func open(
    _ owner: AnyObject, _ executor: any TaskExecutor, main: some SerialExecutor,
    door: some SerialExecutor
  ) {
    unsafe knot_run_open(
      run, Unmanaged.passUnretained(owner).toOpaque(), KnotExecutor(executor as any TaskExecutor),
      KnotExecutor(executor.asUnownedTaskExecutor()),
      KnotExecutor(main.asUnownedSerialExecutor()), KnotExecutor(door.asUnownedSerialExecutor()))
  }

  /// Notes test and number for the case that the run ends the process, and how long one of its jobs may take.
  func note(_ test: String, number: UInt64, limit: Duration) {
    unsafe knot_run_note(run, test, number, Int64(limit / .milliseconds(1)))
  }

  /// Runs a job on another thread, until it has ended or waits for a lock; then it goes on later.
  func lend(_ job: @escaping () -> Void) {
    unsafe knot_lend(
      run,
      { unsafe Unmanaged<Lent>.fromOpaque($0.unsafelyUnwrapped).takeRetainedValue().job() },
      Unmanaged.passRetained(Lent(job)).toOpaque())
  }

  private final class Lent {
    let job: () -> Void
    init(_ job: @escaping () -> Void) { self.job = job }
  }

  func close() { unsafe knot_run_close(run) }
  func destroy() { unsafe knot_run_destroy(run) }

  /// Whether the calling thread works for this run.
  var isCurrent: Bool { unsafe knot_is_current(run) }

  /// Makes the calling thread work for this run while `body` runs.
  func perform<Result>(_ body: () -> Result) -> Result {
    let before = unsafe knot_enter(run)
    defer { unsafe knot_leave(before) }
    return body()
  }

  /// Runs a job on its actor, the run's main actor, or none.
  func carryOut(_ ready: ReadyJob) {
    let actor = unsafe ready.drains ? nil : ready.place.actor
    if ready.isShared, let actor = unsafe actor {
      return unsafe knot_enqueue(ready.job.pointer, actor)
    }
    // A visitor's new tasks do not belong to the run, and its clocks show real time.
    if ready.owner == .visitor { knot_leave(nil) }
    unsafe knot_run_job(
      run, ready.job.pointer, actor, ready.place.isMain, ready.owner == .run)
    if ready.owner == .visitor { _ = unsafe knot_enter(run) }
  }

  /// Sets the time that the standard clocks show on a thread that works for the run.
  func show(_ time: Duration) {
    let (seconds, attoseconds) = time.components
    unsafe knot_set_time(run, seconds, attoseconds / 1_000_000_000)
  }

  /// Sets how many seconds after 1970 the wall clock shows beyond that time.
  func setDate(_ seconds: Int64) { unsafe knot_set_date(run, seconds) }

  /// How many random numbers the run has drawn.
  var draws: UInt64 { unsafe knot_draws(run) }

  /// How often the run has read clocks that are not its own.
  var foreignReadings: Int { unsafe Int(knot_foreign_readings(run)) }

  /// The number of tasks of the run that went to the global executor.
  var escapedTasks: Int { unsafe Int(knot_escaped_jobs(run)) }
}

// An executor reference of the standard library, and `any TaskExecutor`, is an object and a word: the
// witness table, in a reference with flags. `Builtin.Executor` has had this layout since Swift 5.5, a
// class existential since 5.0; both are part of the stable ABI.
extension KnotExecutor {
  fileprivate init<Reference>(_ reference: Reference) {
    unsafe self = unsafeBitCast(reference, to: KnotExecutor.self)
  }
}
