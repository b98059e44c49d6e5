/// All counts of a log, in bounded memory.
struct Tally: Sendable {
  private(set) var lines = 0
  private(set) var bytes = 0
  private(set) var formats: [LogFormat: Int] = [:]
  private(set) var categories: [Category: Int] = [:]
  private(set) var keys = TopKeys()
  private(set) var clients = TopKeys()
  private(set) var agents = TopKeys()
  private(set) var referrers = TopKeys()
  private(set) var sizes = Distribution()
  private(set) var latencies = Distribution()
  /// The response sizes and response times of each of the most frequent keys.
  private(set) var sizesOfKeys = KeyedDistributions()
  private(set) var latenciesOfKeys = KeyedDistributions()
  private(set) var timeline = Timeline()
  private(set) var recent: [RecentLine] = []

  mutating func absorb(_ digest: LineDigest) {
    lines += digest.lines
    bytes += digest.bytes
    formats.merge(digest.formats, uniquingKeysWith: +)
    categories.merge(digest.categories, uniquingKeysWith: +)
    for (key, count) in digest.panels[.keys] ?? [] { keys.add(key, count) }
    for (key, count) in digest.panels[.clients] ?? [] { clients.add(key, count) }
    for (key, count) in digest.panels[.agents] ?? [] { agents.add(key, count) }
    for (key, count) in digest.panels[.referrers] ?? [] { referrers.add(key, count) }
    sizes.add(digest.sizes)
    latencies.add(digest.latencies)
    let known = digest.panels[.keys] ?? []
    sizesOfKeys.add(digest.sizesOfKeys, of: known, among: keys)
    latenciesOfKeys.add(digest.latenciesOfKeys, of: known, among: keys)
    for (second, count) in digest.times { timeline.add(second, count) }
    recent.append(contentsOf: digest.recent)
    recent.removeFirst(max(0, recent.count - LineDigest.recentLimit))
  }
}

extension Tally {
  subscript(panel: Panel) -> TopKeys {
    switch panel {
    case .keys: keys
    case .clients: clients
    case .agents: agents
    case .referrers: referrers
    }
  }

  /// The panel of the keys, and the other panels for which the log has data.
  var panels: [Panel] { Panel.allCases.filter { $0 == .keys || self[$0].count > 0 } }
}
