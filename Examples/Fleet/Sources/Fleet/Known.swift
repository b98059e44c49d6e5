import AsyncDiff

/// What a page has; it may have lists that this gateway has not heard of yet.
///
/// Pages that have the same mostly share one object: who is told by which object leads on from here need not
/// compare thousands of revisions.
final class Known: Sendable {
  /// Which of the lists that a page lacks it wants first: what is in sight there.
  struct Wish: Equatable, Sendable {
    enum Order: String { case name, load }

    /// Names, before all others.
    var first: [String] = []
    var order = Order.name
  }

  /// So many lists at most are one step: a page that has nothing yet shows the first ones while the next are
  /// made, and nothing is made for one that does not read.
  static let most = 64

  let revisions: [String: SnapshotRevision]
  private let wish: Wish
  /// The last list that was brought up to date: where each step has too few, the next ones have their turn.
  private let last: String

  init(_ revisions: [String: SnapshotRevision] = [:], wish: Wish = Wish(), last: String = "") {
    self.revisions = revisions
    self.wish = wish
    self.last = last
  }

  /// Whether all that is shown is here.
  func hasAll(of feeds: [Feed]) -> Bool { feeds.allSatisfy { revisions[$0.name] == $0.revision } }

  /// What a page has after some events: it drops the lists of machines that it was not told of.
  ///
  /// - Parameters:
  ///   - events: What it was sent.
  ///   - last: The last list of these.
  ///   - machines: All names; nil if a page is told of none because the logs were never reached.
  /// - Returns: What it has then.
  func after(
    _ events: [String: SnapshotRevision], last: String, machines: Set<String>? = nil
  ) -> Known {
    let kept = revisions.filter { name, _ in
      name == FleetList.name || machines?.contains(name) ?? true
    }
    return Known(kept.merging(events) { $1 }, wish: wish, last: last)
  }

  /// What leads on from here: lists that are not here, as they are wanted, and then lists that have changed, each
  /// in its turn.
  ///
  /// - Parameter feeds: All lists; that of the machines first, then by name.
  /// - Returns: The next lists, and whether there are others.
  func step(to feeds: [Feed]) -> (feeds: [Feed], hasMore: Bool) {
    var new: [Feed] = []
    var changed: [Feed] = []
    for feed in feeds {
      guard let has = revisions[feed.name] else {
        new.append(feed)
        continue
      }
      // Another gateway was quicker: this one has nothing to say before it is there, too.
      if has.epoch == feed.revision.epoch, has.number >= feed.revision.number { continue }
      changed.append(feed)
    }
    let all = wanted(new).prefix(Self.most) + inTurn(changed).prefix(Self.most)
    return (Array(all), all.count < new.count + changed.count)
  }

  private func wanted(_ feeds: [Feed]) -> [Feed] {
    let places = Dictionary(zip([FleetList.name] + wish.first, 0...)) { first, _ in first }
    return feeds.map { (place: places[$0.name] ?? .max, feed: $0) }.sorted { one, other in
      // Loads change sides, so that the largest comes first: the least number has no opposite.
      let (load, otherLoad) = wish.order == .load ? (other.feed.load, one.feed.load) : (0, 0)
      return (one.place, load, one.feed.name) < (other.place, otherLoad, other.feed.name)
    }.map(\.feed)
  }

  private func inTurn(_ feeds: [Feed]) -> [Feed] {
    func isNext(_ feed: Feed) -> Bool { feed.name > last || feed.name == FleetList.name }
    return feeds.filter(isNext) + feeds.filter { !isNext($0) }
  }
}
