/// A concurrency bug in code as people write it, and the same code repaired.
///
/// `run(true)` is the broken one. It returns whether all is well: what a test would expect.
public struct Animal: Sendable, CustomStringConvertible {
  /// What goes wrong.
  public let name: String
  /// How many forced switches away from a task that could go on the bug needs, or one if it needs none.
  public let switches: Int
  /// Runs the code, broken or repaired; returns whether all is well.
  public let run: @Sendable (_ isBroken: Bool) async -> Bool

  init(
    name: String, switches: Int = 1, run: @escaping @Sendable (_ isBroken: Bool) async -> Bool
  ) {
    self.name = name
    self.switches = switches
    self.run = run
  }

  /// What goes wrong.
  public var description: String { name }

  /// All bugs of the zoo.
  public static let all =
    actors + viewModels + continuations + streams + writers + clients + queues
    + timers + jobs
}

/// Runs two things as two tasks, and waits for both.
func both(
  _ first: @escaping @Sendable () async -> Void, _ second: @escaping @Sendable () async -> Void
) async {
  let tasks = [Task(operation: first), Task(operation: second)]
  for task in tasks { await task.value }
}
