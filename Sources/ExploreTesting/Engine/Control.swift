private import ExploreTestingRuntime
internal import Synchronization

/// What of the runtime the kit has found in this process.
///
/// Each seam is tried once, before the first seed: a task is made as any code makes one, it hops, reads the time and sleeps,
/// and tasks in known states are looked at. Only what was not found is lost.
enum Control {
  /// What cannot be read of tasks; where the rest is, has been found before the first is read.
  static let unreadable: [Seam] = {
    guard knot_is_supported(), let layout = TaskLayout.probe() else { return [.tasks] }
    knot_set_layout(layout.found)
    return layout.missing
  }()

  /// The seams that were not found, in the order in which one needs the other.
  static let missing: [Seam] = {
    guard knot_is_supported() else { return Seam.allCases }
    knot_install()
    // A job that Dispatch is given is known for a task by its layout.
    let unread = unreadable
    return tried() + unread
  }()

  /// The seams without which an exploration does not work as it should, of those that are tried by a task.
  private static func tried() -> [Seam] {
    let explorer = Explorer(
      seed: 0, schedule: Schedule(Chooser(.uniform, seed: 0)), jobLimit: 100)
    let executor = RunExecutor(explorer)
    let sight = Mutex((isOver: false, hasOwnTime: false))
    explorer.show(.zero)
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

  /// Whether the run was told of sleeps of so many seconds; where clocks show real time, some of it has passed before.
  private static func isNear(_ steps: [Duration], _ seconds: [Int]) -> Bool {
    steps.count == seconds.count
      && zip(steps, seconds).allSatisfy { $0 > .seconds($1 - 1) && $0 <= .seconds($1) }
  }

  private actor Visitor {
    var visits = 0
    func visit() { visits += 1 }
  }

  @MainActor private static func onMain() { MainActor.assertIsolated() }

  /// What a run uses and nobody sees, and what was not found of it: a run that passes may prove nothing.
  static var unseen: [Seam] { unseen(of: missing) }

  static func unseen(of missing: [Seam]) -> [Seam] {
    missing.filter { [.clocks, .chance, .hashes].contains($0) }
  }

  /// Whether it can be seen that a task has ended.
  static var seesEnds: Bool { !unreadable.contains { [.tasks, .ends].contains($0) } }

  /// Whether an exploration controls what is written without a thought of it.
  static var isActive: Bool { !missing.contains { [.creation, .hops].contains($0) } }

  /// What a report says of what was not found; `nil` if all was.
  static var message: String? { message(on: missing) }

  static func message(on missing: [Seam]) -> String? {
    guard let first = missing.first else { return nil }
    // What is tried later needs the first.
    let lost = first == .creation ? [first] : missing
    return "In this process the kit has not found all of the runtime that it uses:\n"
      + lost.map { "  \($0.rawValue)" }.joined(separator: "\n")
  }
}
