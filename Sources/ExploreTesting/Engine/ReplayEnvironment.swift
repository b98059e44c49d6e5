/// The environment variables that change the explorations of the process.
struct ReplayEnvironment: Equatable {
  /// `EXPLORE_SEED`: the only seed to run.
  let seed: UInt64?
  /// `EXPLORE_SEEDS`: the minimum number of seeds to run.
  let seeds: Int?
  /// `EXPLORE_REPLAY`: the file of a schedule to run, in the test that found it.
  let schedule: String?
  /// `EXPLORE_KEEP`: whether to keep a failing schedule next to the test.
  let keeps: Bool
  /// `EXPLORE_TRAPS`: whether explorations first run in a separate process.
  let traps: Bool

  /// Reads the variables, and ignores empty ones; traps if a variable that needs a number has any other value.
  init(variable: (String) -> String?) {
    seed = Self.number("EXPLORE_SEED", variable)
    seeds = Self.number("EXPLORE_SEEDS", variable)
    schedule = variable("EXPLORE_REPLAY").flatMap { $0.isEmpty ? nil : $0 }
    keeps = Self.number("EXPLORE_KEEP", variable) ?? 0 > 0
    traps = Self.number("EXPLORE_TRAPS", variable) ?? 0 > 0
  }

  /// The variables for an exploration that begins now.
  ///
  /// An exploration inside the scenario of another one ignores them, because a replay repeats the runs of the outer one.
  static func current(
    _ variable: (String) -> String? = environmentVariable
  ) -> ReplayEnvironment {
    ReplayEnvironment(variable: Explorer.current == nil ? variable : { _ in nil })
  }

  private static func number<Number: FixedWidthInteger>(
    _ name: String, _ variable: (String) -> String?
  ) -> Number? {
    guard let text = variable(name), !text.isEmpty else { return nil }
    guard let number = Number(text), number >= 0 else {
      fatalError("\(name): needs a whole number of at least 0; got \"\(text)\"")
    }
    return number
  }
}
