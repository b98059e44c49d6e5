import AsyncDiff
import DiffWorkloads
import Foundation
import Measure

extension DiffBenchmarks {
  /// Measures lists in which some of the rows are shuffled while the others stay in place.
  static func reportShares() {
    let shares = [0, 5, 10, 20, 30, 40, 50, 63, 80, 100]
    let report = Report(["rows", "share shuffled", "ms", "of the full shuffle", "Dictionary ms"])
    for count in [10_000, 100_000] {
      let times = shares.map { share in
        let (old, new) = change(count: count, shuffled: share, run: 1)
        return minima(
          of: 15,
          [{ consume(Changeset(from: old, to: new)) }, { consume(dictionaryJoin(old, new)) }])
      }
      for (share, time) in zip(shares, times) {
        report.row(
          count.formatted(.number.locale(Locale(identifier: "en_US"))), "\(share) %",
          figure(time[0].milliseconds), ratio(time[0], to: times[shares.count - 1][0]),
          figure(time[1].milliseconds))
      }
    }
  }

  /// Measures 250 changes of lists of 10,000 rows, compared with a dictionary join.
  static func reportGrid() {
    let report = Report([
      "runs of", "shuffled", "ratios to a dictionary join: minimum", "median", "maximum",
      "slower of 25", "minimum at: deleted, inserted",
    ])
    var all: [Double] = []
    for run in [1, 20] {
      for shuffled in [0, 10, 20, 30, 60] {
        var ratios: [(ratio: Double, name: String)] = []
        for deleted in [0, 5, 10, 25, 50] {
          for inserted in [0, 5, 10, 25, 50] {
            let (old, new) = change(
              count: 10_000, deleted: deleted, inserted: inserted, shuffled: shuffled, run: run)
            let times = minima(
              of: 15,
              [{ consume(Changeset(from: old, to: new)) }, { consume(dictionaryJoin(old, new)) }])
            ratios.append((times[1] / times[0], "\(deleted) %, \(inserted) %"))
          }
        }
        ratios.sort { $0.ratio < $1.ratio }
        all += ratios.map(\.ratio)
        report.row(
          "\(run)", "\(shuffled) %", figure(ratios[0].ratio) + "×", figure(ratios[12].ratio) + "×",
          figure(ratios[24].ratio) + "×", "\(ratios.count { $0.ratio < 1 })", ratios[0].name)
      }
    }
    all.sort()
    report.row(
      "both", "all", figure(all[0]) + "×", figure((all[124] + all[125]) / 2) + "×",
      figure(all[249]) + "×", "\(all.count { $0 < 1 }) of 250", "")
  }

  /// A change that deletes, inserts and shuffles the given percentages of rows, each in runs of adjacent rows.
  private static func change(
    count: Int, deleted: Int = 0, inserted: Int = 0, shuffled: Int, run: Int
  ) -> (old: [Row<UUID>], new: [Row<UUID>]) {
    var random = SplitMix64(UInt64(count + deleted + 100 * inserted + 10_000 * shuffled + run))
    func fresh() -> [Row<UUID>] { (0..<run).map { _ in Row(diffIdentifier: uuid(&random)) } }
    let old = (0..<count / run).map { _ in fresh() }
    func chosen(_ share: Int, of runs: Int) -> [Int] {
      Array((0..<runs).shuffled(using: &random).prefix(runs * share / 100))
    }
    let gone = Set(chosen(deleted, of: old.count))
    var new = old.indices.filter { !gone.contains($0) }.map { old[$0] }
    let places = chosen(shuffled, of: new.count)
    let moved = places.map { new[$0] }
    for (place, rows) in zip(places.sorted(), moved) { new[place] = rows }
    var arrivals: [Int: Int] = [:]
    for _ in 0..<old.count * inserted / 100 {
      arrivals[Int.random(in: 0...new.count, using: &random), default: 0] += 1
    }
    var rows: [Row<UUID>] = []
    for place in 0...new.count {
      for _ in 0..<arrivals[place, default: 0] { rows += fresh() }
      if place < new.count { rows += new[place] }
    }
    return (Array(old.joined()), rows)
  }
}
