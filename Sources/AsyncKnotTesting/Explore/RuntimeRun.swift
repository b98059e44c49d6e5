private import AsyncKnotTestingRuntime

/// A run as the Swift runtime knows it: see `Design/control.md`.
///
/// Its functions may be called from any thread. Who makes it frees it, with `destroy()`.
@safe struct RuntimeRun: Sendable {
  /// A pointer is sendable where what it points to may be used from any thread; the C side sees to that.
  nonisolated(unsafe) private let run: OpaquePointer

  /// Makes a run, where this platform can.
  init?() {
    guard knot_is_supported() else { return nil }
    unsafe run = knot_run_create()
  }

  /// Installs the hooks of the runtime, once for the process.
  static func install() { knot_install() }

  /// The explorer that the calling thread works for.
  static var currentOwner: Explorer? {
    guard let owner = unsafe knot_current_owner() else { return nil }
    return unsafe Unmanaged<Explorer>.fromOpaque(owner).takeUnretainedValue()
  }

  /// Tells the runtime what the run's tasks run on.
  func open(_ executor: RunExecutor, main: VirtualMain, door: Door) {
    unsafe knot_run_open(
      run, Unmanaged.passUnretained(executor.explorer).toOpaque(), KnotExecutor(any: executor),
      KnotExecutor(executor.asUnownedTaskExecutor()),
      KnotExecutor(main.asUnownedSerialExecutor()), KnotExecutor(door.asUnownedSerialExecutor()))
  }

  /// Has detached tasks made in the name of the explorer's test.
  func makeDetachedTasksForTheTest() {
    unsafe knot_run_set_maker(run) { owner in
      unsafe Unmanaged<Explorer>.fromOpaque(owner).takeUnretainedValue().testContext?.makePending()
    }
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

  /// Runs a job where it belongs.
  func carryOut(_ ready: ReadyJob) {
    let actor = unsafe ready.drains ? nil : ready.place.actor
    // The tasks and clocks of a visitor are not the run's.
    if ready.owner == .visitor { knot_leave(nil) }
    unsafe knot_run_job(
      run, ready.job.pointer, actor, ready.place.isMain, ready.owner == .run)
    if ready.owner == .visitor { _ = unsafe knot_enter(run) }
  }

  /// Has the clocks of the standard library show a time to the thread that works for the run.
  func show(_ time: Duration) {
    let (seconds, attoseconds) = time.components
    unsafe knot_set_time(run, seconds, attoseconds / 1_000_000_000)
  }

  /// Tells which tasks are younger than the run.
  func setFirstTask(_ number: UInt64) { unsafe knot_set_first_task(run, number) }

  /// How many tasks belong to the run because of where they were created.
  var adoptedTasks: Int { unsafe Int(knot_adopted_tasks(run)) }
  /// How many tasks of the run went to the global executor.
  var escapedTasks: Int { unsafe Int(knot_escaped_jobs(run)) }
}

// An executor reference of the standard library, and `any TaskExecutor`, is an object and a word: the
// witness table, in a reference with flags. `Builtin.Executor` has had this layout since Swift 5.5, a
// class existential since 5.0; both are part of the stable ABI.
extension KnotExecutor {
  fileprivate init(any executor: any TaskExecutor) {
    unsafe self = unsafeBitCast(executor as any TaskExecutor, to: KnotExecutor.self)
  }
  fileprivate init(_ executor: UnownedTaskExecutor) {
    unsafe self = unsafeBitCast(executor, to: KnotExecutor.self)
  }
  fileprivate init(_ executor: UnownedSerialExecutor) {
    unsafe self = unsafeBitCast(executor, to: KnotExecutor.self)
  }
}
