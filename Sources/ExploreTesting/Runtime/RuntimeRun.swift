internal import ExploreTestingRuntime

/// A run as the C part of the kit sees it; see `Design/control.md`.
///
/// Any thread may call its functions. `destroy()` frees it.
@safe struct RuntimeRun: Sendable {
  /// Any thread may pass this pointer to the C functions.
  ///
  /// The pointer never changes, and is freed only in the `deinit` of the explorer that owns the run.
  nonisolated(unsafe) private let run: OpaquePointer

  /// - Parameters:
  ///   - callbacks: The functions of the kit that the C part calls.
  ///   - interrupts: Whether other jobs may run between two instructions of a job.
  init(_ callbacks: KnotCallbacks, interrupts: Bool) {
    unsafe run = knot_run_create(callbacks, interrupts)
  }

  /// Sets the executors of the run's tasks, main actor and actors.
  func open(
    _ owner: AnyObject, _ executor: any TaskExecutor, main: some SerialExecutor,
    door: some SerialExecutor
  ) {
    unsafe knot_run_open(
      run, Unmanaged.passUnretained(owner).toOpaque(), KnotExecutor(executor as any TaskExecutor),
      KnotExecutor(executor.asUnownedTaskExecutor()),
      KnotExecutor(main.asUnownedSerialExecutor()), KnotExecutor(door.asUnownedSerialExecutor()))
  }

  /// Sets the name and the number that are printed if the run ends the process, and how long one job may take.
  func note(_ test: String, number: UInt64, limit: Duration) {
    unsafe knot_run_note(run, test, number, Int64(limit / .milliseconds(1)))
  }

  /// Runs a job on another thread until the job ends or has to wait, for example for a lock.
  ///
  /// A waiting job continues later, on its own thread.
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

  /// Runs a job on its actor, on the run's main actor, or on no actor.
  func carryOut(_ ready: ReadyJob) {
    let actor = unsafe ready.drains ? nil : ready.place.actor
    if ready.isShared, let actor = unsafe actor {
      return unsafe knot_enqueue(ready.job.pointer, actor)
    }
    // Code outside the run reads the real clocks, and the tasks that it creates do not belong to the run.
    if ready.owner == .visitor { knot_leave(nil) }
    unsafe knot_run_job(
      run, ready.job.pointer, actor, ready.place.isMain, ready.owner == .run)
    if ready.owner == .visitor { _ = unsafe knot_enter(run) }
  }

  /// Sets the time that the standard clocks show to the run's threads.
  func show(_ time: Duration) {
    let (seconds, attoseconds) = time.components
    unsafe knot_set_time(run, seconds, attoseconds / 1_000_000_000)
  }

  /// Sets the offset of the wall clock from the time of the standard clocks.
  func setDate(_ offset: Duration) {
    let (seconds, attoseconds) = offset.components
    unsafe knot_set_date(run, seconds, attoseconds / 1_000_000_000)
  }

  /// How many random numbers the run has drawn.
  var draws: UInt64 { unsafe knot_draws(run) }

  /// How many times the run has read clocks or random numbers that it does not control.
  var foreignReadings: Int { unsafe Int(knot_foreign_readings(run)) }

  /// How many times work has left the run, because a task reached the global executor or an isolated `deinit` belongs to an older
  /// actor.
  var escapedTasks: Int { unsafe Int(knot_escaped_jobs(run)) }
}

// An executor reference and `any TaskExecutor` both consist of an object and a word. The word is the witness table; in an
// executor reference it also contains flags. `Builtin.Executor` has had this layout since Swift 5.5, and a class existential
// since 5.0; both are stable ABI.
extension KnotExecutor {
  fileprivate init<Reference>(_ reference: Reference) {
    unsafe self = unsafeBitCast(reference, to: KnotExecutor.self)
  }
}
