import AsyncDiff
import FleetLog

/// A list of numbers.
struct Rows: SectionInflator, Codable {
  struct Row: Diffable, Identifiable, Equatable, Codable {
    var id: Int
    var text = ""
  }

  var diffIdentifier = "rows"
  var content: Int
  var items: [Row]

  /// Returns the list that a writer shows at a step.
  ///
  /// The lists of different steps differ.
  static func list(_ writer: Int, _ step: Int) -> DiffableSnapshot<Rows> {
    DiffableSnapshot(sections: [
      Rows(
        content: writer * 100 + step,
        items: (0...3).map { Row(id: $0 * (step % 6 + 1) % 7, text: "\(writer) \(step / 2)") })
    ])
  }
}
