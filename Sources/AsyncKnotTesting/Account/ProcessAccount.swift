private import AsyncKnotTestingRuntime
internal import Synchronization

/// The counts of all explorations of the process, which are printed when the process ends.
///
/// ```
/// explored: 212 explorations, 1,204,331 runs, 902,113 different schedules, 41,220,118 jobs
/// ```
enum ProcessAccount {
  private struct Sums {
    var explorations = 0
    var runs = 0
    var schedules = 0
    var jobs = 0
    var foreignJobs = 0
  }

  private static let sums = Mutex(Sums())
  private static let printsAtExit: Void = knot_at_exit { ProcessAccount.printLine() }

  /// Adds the counts of one exploration.
  static func add(_ account: ExplorationAccount) {
    _ = printsAtExit
    sums.withLock { sums in
      sums.explorations += 1
      sums.runs += account.runs
      sums.schedules += account.schedules
      sums.jobs += account.jobs
      sums.foreignJobs += account.foreignJobs + account.escapedTasks
    }
  }

  /// The line that is printed.
  static var line: String {
    let sums = sums.withLock { $0 }
    let foreign = sums.foreignJobs == 0 ? "" : "; \(grouped(sums.foreignJobs)) foreign jobs"
    return """
      explored: \(counted(sums.explorations, "exploration")), \(counted(sums.runs, "run")), \
      \(counted(sums.schedules, "different schedule")), \(counted(sums.jobs, "job"))\(foreign)
      """
  }

  private static func counted(_ count: Int, _ noun: String) -> String {
    "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  private static func printLine() { print(line) }
}

/// A number with a comma every three digits.
func grouped(_ number: Int) -> String {
  var digits = String(number.magnitude)
  var index = digits.count
  while index > 3 {
    index -= 3
    digits.insert(",", at: digits.index(digits.startIndex, offsetBy: index))
  }
  return number < 0 ? "-" + digits : digits
}
