private import ExploreTestingRuntime
internal import Synchronization

/// The parts of the Swift runtime, or seams, that the kit has found in this process.
///
/// Each seam is tried once, before the first seed: the kit creates a task in the ordinary way, lets it hop, read the time and
/// sleep, and inspects tasks in known states. If one seam is missing, the kit still uses the others.
enum Control {
  /// The missing seams among those that read tasks.
  ///
  /// The layout is set before the first task is read.
  static let unreadable: [Seam] = {
    guard knot_is_supported(), let layout = TaskLayout.probe() else { return [.tasks] }
    knot_set_layout(layout.found)
    return layout.missing
  }()

  /// The seams that were not found.
  ///
  /// Each seam comes after the seams that it depends on.
  static let missing: [Seam] = {
    guard knot_is_supported() else { return Seam.allCases }
    knot_install()
    // Probe the layout first: the trial uses it to recognize the tasks among the jobs that are passed to Dispatch.
    let unread = unreadable
    return tried() + unread
  }()

  /// Runs a trial task and returns the seams that did not work.
  private static func tried() -> [Seam] {
    let explorer = Explorer(
      seed: 0, schedule: Schedule(Chooser(.uniform, seed: 0)), jobLimit: 100)
    let executor = RunExecutor(explorer)
    let sight = Mutex((isOver: false, hasOwnTime: false))
    explorer.perform {
      _ = Task.detached { @Sendable in
        var generator = SystemRandomNumberGenerator()
        _ = generator.next() as UInt64
        let visitor = Visitor()
        await visitor.visit()
        let time = ContinuousClock.now
        await onMain()
        let visits = await visitor.visits
        sight.withLock { $0 = (visits == 1, time == .now) }
        try? await Task.sleep(for: .seconds(1_000))
        try? await SuspendingClock().sleep(until: .now.advanced(by: .seconds(500)))
      }
    }
    let isAdopted = explorer.hasReadyJob
    _ = explorer.runReady(limit: 100)
    var steps: [Duration] = []
    while let step = explorer.timeToNextDeadline() {
      steps.append(step)
      explorer.move(by: step)
      _ = explorer.runReady(limit: 100)
    }
    explorer.close()
    _ = executor
    let (isOver, hasOwnTime) = sight.withLock { $0 }
    let trials: [(Seam, Bool)] = [
      (.creation, isAdopted), (.hops, isOver), (.clocks, hasOwnTime),
      (.sleeps, isNear(steps, [1_000, 500])), (.chance, explorer.run.draws > 0),
      (.hashes, knot_has_plain_hashes()),
    ]
    return trials.filter { !$0.1 }.map(\.0)
  }

  /// Whether each sleep of the trial lasted about as many seconds as `seconds` says.
  ///
  /// If the clocks show real time, a little of the sleep has already passed when the kit measures its length.
  private static func isNear(_ steps: [Duration], _ seconds: [Int]) -> Bool {
    steps.count == seconds.count
      && zip(steps, seconds).allSatisfy { $0 > .seconds($1 - 1) && $0 <= .seconds($1) }
  }

  private actor Visitor {
    var visits = 0
    func visit() { visits += 1 }
  }

  @MainActor private static func onMain() { MainActor.assertIsolated() }

  /// The missing seams whose use cannot be detected, so a run that passes without them may prove nothing.
  static var unseen: [Seam] { unseen(of: missing) }

  static func unseen(of missing: [Seam]) -> [Seam] {
    missing.filter { [.clocks, .chance, .hashes].contains($0) }
  }

  /// Whether the kit can tell that a task has ended.
  static var seesEnds: Bool { !unreadable.contains { [.tasks, .ends].contains($0) } }

  /// Whether an exploration controls code that was written without the kit.
  static var isActive: Bool { !missing.contains { [.creation, .hops].contains($0) } }

  /// A report's sentence about the missing seams; `nil` if none is missing.
  static var message: String? { message(on: missing) }

  static func message(on missing: [Seam]) -> String? {
    guard let first = missing.first else { return nil }
    // The later trials need `creation`, so their results mean nothing without it.
    let lost = first == .creation ? [first] : missing
    return "In this process the kit did not find these parts of the runtime:\n"
      + lost.map { "  \($0.rawValue)" }.joined(separator: "\n")
  }
}
