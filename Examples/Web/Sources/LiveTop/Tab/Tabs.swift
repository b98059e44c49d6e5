import AsyncKnot
import Synchronization

/// The tabs by the names that their pages have given themselves.
///
/// A tab outlives its connection by a minute: a page that comes back in time goes on by a patch.
final class Tabs: Sendable {
  static let grace: Duration = .seconds(60)

  let limit: Int
  private let make: @Sendable () -> Tab
  private let tabs = Mutex<[String: Tab]>([:])

  /// Begins with no tab.
  ///
  /// - Parameters:
  ///   - limit: How many there may be at once.
  ///   - make: Makes a tab.
  init(limit: Int, _ make: @escaping @Sendable () -> Tab) {
    self.limit = limit
    self.make = make
  }

  /// The tab of a name, if it is there.
  subscript(name: String) -> Tab? { tabs.withLock { $0[name] } }

  /// How many there are, and how many of them are connected.
  var counts: (all: Int, connected: Int) {
    let all = tabs.withLock { Array($0.values) }
    return (all.count, all.count { $0.isConnected })
  }

  /// The tab of a name, a new one if need be; nil where there are too many.
  ///
  /// Where there is no room, the tab goes that has been without a page for the longest time.
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

  /// Lets go of tabs without a page, and has the others hear something now and then.
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

  /// Ends all.
  func close() {
    for tab in tabs.withLock({ Array($0.values) }) { tab.close() }
  }
}
