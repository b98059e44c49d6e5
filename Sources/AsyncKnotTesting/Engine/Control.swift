internal import Synchronization

/// Whether explorations of this process control `Task { }`, `@MainActor` code and the standard clocks.
///
/// It is tried once, before the first seed, with a task that is created as any code creates one.
enum Control {
  /// The reason for which the mechanism does not work; `nil` if it works.
  static let defect: String? = {
    let explorer = Explorer(
      seed: 0, schedule: Schedule(Chooser(.uniform, seed: 0)),
      jobLimit: 100)
    guard let run = explorer.run else { return "this platform has no way to take it over" }
    RuntimeRun.install()
    let executor = RunExecutor(explorer)
    let sight = Sighting()
    explorer.show(.zero)
    explorer.perform {
      _ = Task.detached {
        let visitor = Visitor()
        await visitor.visit()
        let time = ContinuousClock.now
        await onMain()
        let isOver = await visitor.visits == 1
        sight.set(Sight(isOver: isOver, time: time))
      }
    }
    let adopted = run.adoptedTasks
    _ = explorer.runReady(limit: 100)
    let isOver = sight.value.isOver
    explorer.close()
    _ = executor
    guard adopted == 1 else {
      return """
        its code calls the runtime's swift_task_create, not the kit's: is the kit in a dynamic \
        library, or the runtime linked with -static-stdlib?
        """
    }
    return isOver ? nil : "a task left the run where it called an actor or the main actor"
  }()

  private struct Sight: Sendable {
    var isOver = false
    var time: ContinuousClock.Instant?
  }

  /// Holds the observations of the task.
  private final class Sighting: Sendable {
    private let sight = Mutex(Sight())
    var value: Sight { sight.withLock { $0 } }
    func set(_ value: Sight) { sight.withLock { $0 = value } }
  }

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
