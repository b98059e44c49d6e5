import AsyncDiff

/// The revisions of a page.
///
/// The page may have lists that this gateway does not know yet.
///
/// Pages with the same revisions usually share one object, so that the next step is found by identity and does not
/// have to compare thousands of revisions.
final class Known: Sendable {
  /// The lists that a page wants first, because they are visible there.
  struct Wish: Equatable, Sendable {
    enum Order: String { case name, load }

    /// The names that come before all others.
    var first: [String] = []
    var order = Order.name
  }

  /// The maximum number of missing lists, and of changed lists, in one step.
  ///
  /// A new page shows the first lists while the next ones are created, and nothing is created for a page that
  /// does not read.
  static let most = 64

  let revisions: [String: SnapshotRevision]
  private let wish: Wish
  /// The last updated list.
  ///
  /// If a step is too short for all lists, the next step continues after this list.
  private let last: String

  init(_ revisions: [String: SnapshotRevision] = [:], wish: Wish = Wish(), last: String = "") {
    self.revisions = revisions
    self.wish = wish
    self.last = last
  }

  /// Whether the page has all shown lists.
  func hasAll(of feeds: [Feed]) -> Bool { feeds.allSatisfy { revisions[$0.name] == $0.revision } }

  /// Returns the revisions of the page after some events, without the lists of machines that no longer exist.
  ///
  /// - Parameters:
  ///   - events: The events that were sent.
  ///   - last: The last list among them.
  ///   - machines: The names of all machines; `nil` if the logs were never reached.
  /// - Returns: The new revisions.
  func after(
    _ events: [String: SnapshotRevision], last: String, machines: Set<String>? = nil
  ) -> Known {
    let kept = revisions.filter { name, _ in
      name == FleetList.name || machines?.contains(name) ?? true
    }
    return Known(kept.merging(events) { $1 }, wish: wish, last: last)
  }

  /// Returns the next events: first missing lists in the order that the page wants, then changed lists in
  /// turn.
  ///
  /// - Parameter feeds: All lists: the list of machines first, then the others by name.
  /// - Returns: The next events, and whether there are more.
  func step(to feeds: [Feed]) -> (feeds: [Feed], hasMore: Bool) {
    var new: [Feed] = []
    var changed: [Feed] = []
    for feed in feeds {
      guard let has = revisions[feed.name] else {
        new.append(feed)
        continue
      }
      // Another gateway was faster; this one sends nothing until it has caught up.
      if has.epoch == feed.revision.epoch, has.number >= feed.revision.number { continue }
      changed.append(feed)
    }
    let all = wanted(new).prefix(Self.most) + inTurn(changed).prefix(Self.most)
    return (Array(all), all.count < new.count + changed.count)
  }

  private func wanted(_ feeds: [Feed]) -> [Feed] {
    let places = Dictionary(zip([FleetList.name] + wish.first, 0...)) { first, _ in first }
    return feeds.map { (place: places[$0.name] ?? .max, feed: $0) }.sorted { one, other in
      // The two loads are swapped, so that the largest comes first; negating the minimum would overflow.
      let (load, otherLoad) = wish.order == .load ? (other.feed.load, one.feed.load) : (0, 0)
      return (one.place, load, one.feed.name) < (other.place, otherLoad, other.feed.name)
    }.map(\.feed)
  }

  private func inTurn(_ feeds: [Feed]) -> [Feed] {
    func isNext(_ feed: Feed) -> Bool { feed.name > last || feed.name == FleetList.name }
    return feeds.filter(isNext) + feeds.filter { !isNext($0) }
  }
}
