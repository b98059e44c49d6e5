/// A concurrency bug in ordinary code, and the same code repaired.
///
/// `run(true)` runs the broken code. `run` returns whether the result is what a test would expect.
public struct Animal: Sendable, CustomStringConvertible {
  /// A short description of the bug.
  public let name: String
  /// The number of forced switches that the bug needs; at least 1.
  public let switches: Int
  /// Runs the broken or the repaired code.
  ///
  /// Returns whether the result is right.
  public let run: @Sendable (_ isBroken: Bool) async -> Bool

  init(
    name: String, switches: Int = 1, run: @escaping @Sendable (_ isBroken: Bool) async -> Bool
  ) {
    self.name = name
    self.switches = switches
    self.run = run
  }

  /// The same text as `name`.
  public var description: String { name }

  /// All bugs of the zoo.
  public static let all =
    actors + viewModels + continuations + streams + writers + clients + queues
    + timers + jobs
}

/// Runs two operations as two tasks and waits for both.
func both(
  _ first: @escaping @Sendable () async -> Void, _ second: @escaping @Sendable () async -> Void
) async {
  let tasks = [Task(operation: first), Task(operation: second)]
  for task in tasks { await task.value }
}
