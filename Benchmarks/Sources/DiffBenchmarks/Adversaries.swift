import AsyncDiff
import DiffWorkloads
import Measure

/// An identifier whose hash is constant.
private struct Alike: Hashable, Sendable {
  let number: UInt64

  func hash(into hasher: inout Hasher) {}
}

/// The same identifier with a good hash.
private struct Sound: Hashable, Sendable {
  let number: UInt64
}

extension DiffBenchmarks {
  /// Compares the times for identifiers that were chosen to collide and for random identifiers, in lists of the same shape.
  static func reportAdversaries() {
    let report = Report(["identifiers", "ms", "random identifiers ms", "slower by"])
    let random = milliseconds(count: 1_000_000, edits: 50_000) { Int($0.hashed) }
    let shapes: [(String, (UInt64) -> UInt64)] = [
      ("1,000,000 integers with 32 equal low bits; 50,000 deleted, 50,000 inserted", { $0 << 32 }),
      ("the same, multiples of 1,000,003", { $0 &* 1_000_003 }),
      (
        "the same, chosen so that multiplying by 2⁶⁴/φ gives consecutive numbers",
        { $0 &* 0xF1DE_83E1_9937_733D }
      ),
    ]
    for (summary, number) in shapes {
      let time = milliseconds(count: 1_000_000, edits: 50_000) {
        Int(bitPattern: UInt(number($0)))
      }
      report.row(summary, figure(time), figure(random), figure(time / random) + "×")
    }
    let alike = milliseconds(count: 100_000, edits: 50) { Alike(number: $0) }
    let sound = milliseconds(count: 100_000, edits: 50) { Sound(number: $0) }
    report.row(
      "100,000 identifiers with the same hash; 50 deleted, 50 inserted", figure(alike),
      figure(sound), figure(alike / sound) + "×")
  }

  private static func milliseconds<ID: Hashable & Sendable>(
    count: Int, edits: Int, id: (UInt64) -> ID
  ) -> Double {
    var next: UInt64 = 0
    let workload = FlatWorkload.scattered(
      "", "", count: count, edits: edits, moves: edits / 10
    ) { _ in
      next += 1
      return id(next)
    }
    return minimum(of: 7) { consume(Changeset(from: workload.old, to: workload.new)) }.milliseconds
  }
}

extension UInt64 {
  fileprivate var hashed: Int64 {
    var random = SplitMix64(self)
    return Int64(bitPattern: random.next())
  }
}
