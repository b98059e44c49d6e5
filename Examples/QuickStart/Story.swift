import ExploreTesting

/// The lines that the program shows: code with a bug, the interleaving that breaks it, and the fixed code.
struct Story: Sendable {
  enum Line: Hashable, Sendable {
    case words(String), code(String), lane(String)

    var text: String {
      switch self {
      case .words(let text), .lane(let text): text
      case .code(let text): text.isEmpty ? "" : "    " + text
      }
    }
  }

  private struct SoldTwice: Error {}

  private static let seeds = 1_000

  let lines: [Line]

  /// Explores both shops, and returns the story about the results.
  static func told() async -> Story {
    let bug = await explored { Shop() }
    let fixed = await explored { FixedShop() }
    // The story fits a terminal of 80 columns and 24 rows.
    return Story(
      lines: [.words("A shop has one ticket left, and two people want to buy it:")]
        + code("guard tickets > 0 else { return }", "await bank.charge(name)", "tickets -= 1", "")
        + [.words("explore tries the interleavings. \(verdict(on: bug))")]
        + lanes(of: bug?.lanes ?? "")
        + [
          .code(""), .words("Each column is a task, * is a step, and > is a forced switch."),
          .words("The fix is to take the ticket before the `await`:"),
        ]
        + code("guard tickets > 0 else { return }", "tickets -= 1", "await bank.charge(name)", "")
        + [.words(verdict(on: fixed))])
  }

  private static func code(_ lines: String...) -> [Line] { lines.map { .code($0) } }

  /// The lines of a report without the margin that all of them have.
  private static func lanes(of report: String) -> [Line] {
    let lines = report.split(separator: "\n")
    let margin = lines.map { line in line.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { .lane(String($0.dropFirst(margin))) }
  }

  private static func explored(
    _ shop: @escaping @MainActor @Sendable () -> any TicketSeller
  ) async -> (failure: ExplorationFailure, lanes: String?)? {
    await Exploration(seeds: seeds).lanes { @MainActor in
      let shop = shop()
      watch("left", onMain: { shop.tickets })
      for buyer in [shop.buy(for: "Ann"), shop.buy(for: "Ben")] { await buyer.value }
      if shop.tickets < 0 { throw SoldTwice() }
    }
  }

  private static func verdict(
    on found: (failure: ExplorationFailure, lanes: String?)?
  ) -> String {
    guard let found else { return "None of \(seeds) runs fails." }
    guard case .threw(is SoldTwice) = found.failure.reason else { return "\(found.failure)" }
    return "Run \(found.failure.seed + 1) sells the ticket twice:"
  }
}
