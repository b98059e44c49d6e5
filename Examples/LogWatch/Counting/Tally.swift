/// Everything that was counted, in memory that no input can make grow.
struct Tally: Sendable {
  private(set) var lines = 0
  private(set) var bytes = 0
  private(set) var formats: [LogFormat: Int] = [:]
  private(set) var categories: [Category: Int] = [:]
  private(set) var keys = TopKeys()
  private(set) var timeline = Timeline()
  private(set) var recent: [RecentLine] = []

  mutating func absorb(_ digest: LineDigest) {
    lines += digest.lines
    bytes += digest.bytes
    formats.merge(digest.formats, uniquingKeysWith: +)
    categories.merge(digest.categories, uniquingKeysWith: +)
    for (key, count) in digest.keys { keys.add(key, count) }
    for (second, count) in digest.times { timeline.add(second, count) }
    recent.append(contentsOf: digest.recent)
    recent.removeFirst(max(0, recent.count - LineDigest.recentLimit))
  }
}
