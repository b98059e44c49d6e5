import AsyncDiff

/// The revisions of the lists that a page has.
///
/// The page may have lists that this gateway does not know yet.
///
/// Pages with the same revisions usually share one object. So the gateway finds a page's next step by the object's identity,
/// without comparing thousands of revisions.
final class Known: Sendable {
  /// The order in which a page wants the lists that it does not have.
  struct Wish: Equatable, Sendable {
    enum Order: String { case name, load }

    /// The names of the lists that come before all others, because they are visible on the page.
    var first: [String] = []
    var order = Order.name
  }

  /// The maximum number of missing lists, and the maximum number of changed lists, in one step.
  ///
  /// Because of this limit, a new page shows the first lists while the next ones are created, and nothing more is created for a
  /// page that does not read.
  static let most = 64

  let revisions: [String: SnapshotRevision]
  private let wish: Wish
  /// The name of the list that was updated last.
  ///
  /// If a step does not have room for all changed lists, the next step continues after this list.
  private let last: String

  init(_ revisions: [String: SnapshotRevision] = [:], wish: Wish = Wish(), last: String = "") {
    self.revisions = revisions
    self.wish = wish
    self.last = last
  }

  /// Returns whether the page has the current revision of every list.
  func hasAll(of feeds: [Feed]) -> Bool { feeds.allSatisfy { revisions[$0.name] == $0.revision } }

  /// Returns the revisions of the page after some events, without the lists of machines that no longer exist.
  ///
  /// - Parameters:
  ///   - events: The revisions of the lists in the events that were sent.
  ///   - last: The name of the last list of the step.
  ///   - machines: The names of all machines; `nil` if they are not known.
  /// - Returns: The revisions from which the next step starts.
  func after(
    _ events: [String: SnapshotRevision], last: String, machines: Set<String>? = nil
  ) -> Known {
    let kept = revisions.filter { name, _ in
      name == FleetList.name || machines?.contains(name) ?? true
    }
    return Known(kept.merging(events) { $1 }, wish: wish, last: last)
  }

  /// Returns the lists of the next step: missing lists in the order that the page wants, and then changed lists in turn.
  ///
  /// - Parameter feeds: All lists, with the list of machines first and the others by name.
  /// - Returns: The lists of the next step, and whether another step is needed.
  func step(to feeds: [Feed]) -> (feeds: [Feed], hasMore: Bool) {
    var new: [Feed] = []
    var changed: [Feed] = []
    for feed in feeds {
      guard let has = revisions[feed.name] else {
        new.append(feed)
        continue
      }
      // The page has this revision or, if its previous gateway was faster, a newer one. Send nothing until this gateway has
      // caught up.
      if has.epoch == feed.revision.epoch, has.number >= feed.revision.number { continue }
      changed.append(feed)
    }
    let all = wanted(new).prefix(Self.most) + inTurn(changed).prefix(Self.most)
    return (Array(all), all.count < new.count + changed.count)
  }

  private func wanted(_ feeds: [Feed]) -> [Feed] {
    let places = Dictionary(zip([FleetList.name] + wish.first, 0...)) { first, _ in first }
    return feeds.map { (place: places[$0.name] ?? .max, feed: $0) }.sorted { one, other in
      // The two loads are swapped, so that the highest load comes first. They are not negated, because that could overflow.
      let (load, otherLoad) = wish.order == .load ? (other.feed.load, one.feed.load) : (0, 0)
      return (one.place, load, one.feed.name) < (other.place, otherLoad, other.feed.name)
    }.map(\.feed)
  }

  private func inTurn(_ feeds: [Feed]) -> [Feed] {
    func isNext(_ feed: Feed) -> Bool { feed.name > last || feed.name == FleetList.name }
    return feeds.filter(isNext) + feeds.filter { !isNext($0) }
  }
}
