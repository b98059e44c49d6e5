import AsyncKnot
import Synchronization

/// The tabs, by the names of their pages.
///
/// A tab outlives its connection by a minute, so that a page that returns in time continues with a patch.
final class Tabs: Sendable {
  static let grace: Duration = .seconds(60)

  let limit: Int
  private let make: @Sendable () -> Tab
  private let tabs = Mutex<[String: Tab]>([:])

  /// Creates an empty collection.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of tabs.
  ///   - make: Creates a tab.
  init(limit: Int, _ make: @escaping @Sendable () -> Tab) {
    self.limit = limit
    self.make = make
  }

  /// The tab with a name, or `nil`.
  subscript(name: String) -> Tab? { tabs.withLock { $0[name] } }

  /// The number of tabs, and the number of connected tabs.
  var counts: (all: Int, connected: Int) {
    let all = tabs.withLock { Array($0.values) }
    return (all.count, all.count { $0.isConnected })
  }

  /// Returns the tab with a name, which is created if necessary; `nil` if the limit is reached and no tab has lost its page.
  ///
  /// If the limit is reached, a new tab replaces the tab that has been without a page for the longest time.
  func open(_ name: String) -> Tab? {
    if let known = self[name] { return known }
    let new = make()
    let (tab, gone) = tabs.withLock { tabs -> (Tab?, Tab?) in
      var gone: Tab?
      if tabs.count >= limit {
        let ends = tabs.compactMapValues(\.end)
        guard let (oldest, _) = ends.min(by: { $0.value < $1.value }) else { return (nil, nil) }
        gone = tabs.removeValue(forKey: oldest)
      }
      tabs[name] = new
      return (new, gone)
    }
    gone?.close()
    return tab
  }

  /// Removes tabs that have been without a page for too long, and sends the other tabs an event at every tenth tick.
  func sweep(tick: Int, now: ContinuousClock.Instant = .now) {
    let gone = tabs.withLock { tabs in
      let gone = tabs.filter { $0.value.isAbandoned(at: now, after: Self.grace) }
      for name in gone.keys { tabs[name] = nil }
      return gone
    }
    for tab in gone.values { tab.close() }
    guard tick % 10 == 9 else { return }
    for tab in tabs.withLock({ Array($0.values) }) { tab.beat() }
  }

  /// Closes every tab.
  func close() {
    for tab in tabs.withLock({ Array($0.values) }) { tab.close() }
  }
}
