/// The counts as a JSON object on one line, with its members in a fixed order.
struct JSONReport {
  let tally: Tally
  let top: Int

  var text: String {
    let range = tally.timeline.range
    return object([
      ("lines", "\(tally.lines)"), ("bytes", "\(tally.bytes)"),
      ("formats", counts(LogFormat.allCases.map { ($0.rawValue, tally.formats[$0]) })),
      ("categories", counts(Category.allCases.map { ($0.rawValue, tally.categories[$0]) })),
      ("keys", keys(tally.keys, tally)), ("keysAreExact", "\(tally.keys.isExact)"),
      ("clients", keys(tally.clients)), ("agents", keys(tally.agents)),
      ("referrers", keys(tally.referrers)),
      ("sizes", distribution(tally.sizes)), ("latencies", distribution(tally.latencies)),
      ("from", time(range?.lowerBound)), ("to", time(range?.upperBound)),
      ("secondsPerSpan", "\(tally.timeline.span)"), ("spans", "[\(spans)]"),
    ]) + "\n"
  }

  private var spans: String {
    tally.timeline.counts.map { second, lines in
      object([("from", time(second)), ("lines", "\(lines)")])
    }
    .joined(separator: ",")
  }

  /// Returns the JSON array of the most frequent keys.
  ///
  /// If `tally` is given, each key includes its distributions.
  private func keys(_ keys: TopKeys, _ tally: Tally? = nil) -> String {
    let entries = keys.top(top).map { entry in
      let values = [
        ("sizes", tally?.sizesOfKeys[entry.key]), ("latencies", tally?.latenciesOfKeys[entry.key]),
      ]
      return object(
        [("key", string(entry.key)), ("count", "\(entry.count)"), ("excess", "\(entry.excess)")]
          + values.compactMap { name, values in values.map { (name, distribution($0)) } })
    }
    return "[\(entries.joined(separator: ","))]"
  }

  /// Returns the JSON object of a distribution in bytes or microseconds; `null` if the distribution is empty.
  private func distribution(_ values: Distribution) -> String {
    guard values.count > 0 else { return "null" }
    return object([
      ("count", "\(values.count)"), ("total", "\(values.total)"),
      ("median", "\(values.quantile(0.5))"), ("p95", "\(values.quantile(0.95))"),
      ("p99", "\(values.quantile(0.99))"), ("largest", "\(values.largest)"),
    ])
  }

  private func object(_ members: [(String, String)]) -> String {
    "{\(members.map { "\(string($0)):\($1)" }.joined(separator: ","))}"
  }

  private func counts(_ counts: [(String, Int?)]) -> String {
    object(counts.compactMap { name, count in count.map { (name, "\($0)") } })
  }

  private func time(_ instant: Int?) -> String {
    instant.map(LogTime.text).map { string("\($0.date)T\($0.clock)") } ?? "null"
  }

  private func string(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\u{0}"..<"\u{20}", "\u{7F}":
        let code = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - code.count) + code
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
