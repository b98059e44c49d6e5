/// The percentiles of the response times for each path or, if the log has no response times, of the response sizes.
struct Percentiles {
  private static let shares = [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)]
  private static let width = 11

  private let values: KeyedDistributions
  private let name: String
  private let text: (Int) -> String

  /// - Returns: `nil` if the panel does not rank keys, or if there are no values.
  init?(of tally: Tally, for panel: Panel) {
    guard panel == .keys else { return nil }
    if tally.latencies.count > 0 {
      (values, name, text) = (tally.latenciesOfKeys, "took", \.inDuration)
    } else if tally.sizes.count > 0 {
      (values, name, text) = (tally.sizesOfKeys, "sent", \.inBytes)
    } else {
      return nil
    }
  }

  /// Returns the end positions of the columns that fit.
  func columns(after start: Int, before end: Int) -> [Int] {
    (1...Self.shares.count).map { start + $0 * Self.width }.filter { $0 < end }
  }

  var titles: [String] {
    Self.shares.enumerated().map { $0 == 0 ? "\(name) \($1.0)" : $1.0 }
  }

  func texts(of key: String) -> [String] {
    guard let distribution = values[key] else { return [] }
    return Self.shares.map { text(distribution.quantile($0.1)) }
  }
}
