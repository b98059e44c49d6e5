import AsyncKnot
import TerminalUI

extension Watch {
  /// Checks the counts repeatedly, and prints a line for each change.
  ///
  /// - Parameter pause: The time between two checks.
  func tell(every pause: Duration) async {
    var known = Tally()
    for await _ in AsyncInterval(every: pause) {
      let tally = dashboard.state.tally
      guard let line = Self.news(in: tally, since: known) else { continue }
      known = tally
      // This fails if the output was closed. Writing the summary then fails as well, and that failure determines
      // the exit code.
      try? Output.write(line + "\n")
    }
  }

  /// Returns the changes in the form `2,013 lines +13  2xx +11  5xx +2`; `nil` if there are no new lines.
  static func news(in tally: Tally, since known: Tally) -> String? {
    guard tally.lines > known.lines else { return nil }
    let words = Category.allCases.compactMap { category -> String? in
      let count = (tally.categories[category] ?? 0) - (known.categories[category] ?? 0)
      return count > 0 ? "\(category.rawValue) +\(count.grouped)" : nil
    }
    let lines = "\(tally.lines.inLines) +\((tally.lines - known.lines).grouped)"
    return ([lines] + words).joined(separator: "  ")
  }
}
