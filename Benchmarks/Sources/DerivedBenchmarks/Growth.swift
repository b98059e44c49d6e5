import AsyncDiff
import AsyncKnot
import Measure

/// Compares lists of 2,000 and of 20,000 rows, for each query, number of sections and share of changed rows.
///
/// A time that grows by much more than a factor of ten reveals a problem.
enum Growth {
  /// The numbers of sections; each closure computes one from the number of rows.
  private static let sections: [(name: String, count: @Sendable (Int) -> Int)] = [
    ("1 section", { _ in 1 }), ("100 sections", { _ in 100 }),
    ("a section for every 10 rows", { $0 / 10 }),
    ("a section for each row", { $0 }),
  ]
  private static let sizes = [2_000, 20_000]

  static func print() async {
    let report = Report([
      "µs at \(sizes[0]) / \(sizes[1]) rows, growth", "created", "1 row changes", "1 row in 100",
      "1 row in 2",
      "new condition",
    ])
    let base = LiveQuery(of: Row.self)
    for (name, count) in sections {
      await row("sorted, \(name)", report, count) {
        base.sorted(by: \.price).sections(by: \.group)
      }
      await row("window, \(name)", report, count) {
        base.sorted(by: \.price).sections(by: \.group) { _, rows in rows.count }.window(0..<20)
      }
      await row("measured, \(name)", report, count) {
        base.sections(by: \.group, measuring: \.price) { _, _, price in price.sum }
      }
    }
  }

  private static func row<Section>(
    _ name: String, _ report: Report, _ sections: (Int) -> Int,
    _ query: () -> LiveQuery<Row, Section>
  ) async where Section.Item == Row {
    var times: [[Double]] = []
    for size in sizes { times.append(await measure(query(), size, sections(size))) }
    let cells = zip(times[0], times[1]).map { small, large in
      "\(figure(small)) / \(figure(large)), \(figure(large / small))×"
    }
    report.row(name, cells[0], cells[1], cells[2], cells[3], cells[4])
  }

  /// Returns five times in microseconds: to compute a snapshot, and to update a list after changes of one row, of 1% of the rows
  /// and of half of the rows, and after a new condition.
  private static func measure<Section>(
    _ query: LiveQuery<Row, Section>, _ size: Int, _ sections: Int
  ) async -> [Double] where Section.Item == Row {
    let rows = (0..<size).map {
      Row(
        id: $0, name: "row \($0)", price: Double(($0 * 7_919) % size), group: $0 % sections,
        isOpen: true)
    }
    let holder = Holder(rows)
    let made = minimum(of: 3) { consume(query.snapshot(of: holder.state)) }.nanoseconds / 1_000
    let list = LiveList(query, of: holder)
    var states = list.states.makeAsyncIterator()
    var shown = await states.next() ?? DiffableSnapshot()
    func show() async {
      guard let new = await states.next() else { return }
      consume(shown.batches(to: new))
      shown = new
    }
    var price = 0.0
    var times = [made]
    for count in [1, size / 100, size / 2] {
      times.append(
        await minimum(of: count == 1 ? 30 : 5) {
          price += 1
          let changes = (0..<count).map { place -> Change in
            var row = rows[place * (size / count)]
            row.price = -price - Double(place)
            return (row, row)
          }
          await holder.upsert(changes)
          await show()
        }.nanoseconds / 1_000)
    }
    var group = 0
    times.append(
      await minimum(of: 5) {
        group += 1
        let hidden = group
        list.show(query.filter { $0.id % 10 != hidden })
        await show()
      }.nanoseconds / 1_000)
    return times
  }
}
