private import AsyncKnotTestingRuntime
internal import Synchronization

/// Whether explorations of this process control `Task { }`, `@MainActor` code and the standard clocks.
///
/// A runtime that lays out its tasks otherwise than a known one is refused. Else it is tried once, before the first seed,
/// with a task that is created as any code creates one.
enum Control {
  /// The reason for which the mechanism does not work; `nil` if it works.
  static let defect: String? = {
    let explorer = Explorer(
      seed: 0, schedule: Schedule(Chooser(.uniform, seed: 0)), jobLimit: 100)
    guard knot_is_supported() else { return "this platform has no way to take it over" }
    if let unknown = RuntimeRun.unknownLayout { return unknown }
    knot_install()
    let executor = RunExecutor(explorer)
    let sight = Mutex((isOver: false, hasOwnTime: false))
    explorer.show(.zero)
    explorer.keepTasks()
    explorer.perform {
      _ = Task.detached { @Sendable in
        let visitor = Visitor()
        await visitor.visit()
        let time = ContinuousClock.now
        await onMain()
        let visits = await visitor.visits
        sight.withLock { $0 = (visits == 1, time == .now) }
        try? await Task.sleep(for: .seconds(1_000))
      }
    }
    let isAdopted = explorer.hasReadyJob
    _ = explorer.runReady(limit: 100)
    let sleep = explorer.timeToNextDeadline()
    let waiting = explorer.unfinishedTasks
    if let sleep { explorer.move(by: sleep) }
    _ = explorer.runReady(limit: 100)
    let left = explorer.unfinishedTasks
    explorer.close()
    _ = executor
    let trials = [
      (
        isAdopted,
        """
        its code calls the runtime's swift_task_create, not the kit's: is the kit in a dynamic \
        library, or the runtime linked with -static-stdlib?
        """
      ),
      (sight.withLock { $0.isOver }, "a task that calls an actor or the main actor leaves the run"),
      (sight.withLock { $0.hasOwnTime }, "its clocks show real time"),
      (sleep == .seconds(1_000), "a task that sleeps leaves the run"),
      (waiting == 1 && left == 0, "a task does not have the layout that is known"),
    ]
    return trials.first { !$0.0 }?.1
  }()

  private actor Visitor {
    var visits = 0
    func visit() { visits += 1 }
  }

  @MainActor private static func onMain() { MainActor.assertIsolated() }

  /// Whether the mechanism works.
  static var isActive: Bool { defect == nil }

  /// The part of a report that explains foreign work; `nil` if the mechanism works.
  static var message: String? {
    defect.map {
      """
      explore does not control Task { }, Task.detached and @MainActor code in this process: \($0). \
      Such code runs elsewhere, and counts as foreign work.
      """
    }
  }
}
