import AsyncDiff
import AsyncKnot
import TerminalUI

/// The feed with its screen.
///
/// The program handles one key after another.
struct FeedProgram {
  let surface: FeedSurface
  let source: DiffableDataSource<FeedSection>
  let store: FeedStore
  /// The number of events that the keys have sent so far.
  private var sent = 0

  init(
    _ state: FeedState, size: Size, show: @escaping @Sendable (Frame) -> Void = { _ in }
  ) async {
    surface = FeedSurface(size: size, show: show)
    source = DiffableDataSource(surface: surface)
    store = FeedStore(state)
    await surface.connect(to: source)
    await store.connect(to: source)
  }

  /// Handles a key and returns when the screen shows the result.
  ///
  /// - Returns: Whether the program continues.
  mutating func press(_ key: Key) async -> Bool {
    guard let key = FeedKey(key) else { return true }
    await surface.change { $0.clearMarks() }
    switch key {
    case .move(let rows): await surface.change { $0.moveCursor(by: rows) }
    case .option(let options): await surface.change { $0.moveOption(by: options) }
    case .drag(let rows): if await surface.drag(by: rows) { sent += 1 }
    case .select:
      switch await surface.select() {
      case .row: sent += 1
      case .header(.day(let name)): await store.reduce { $0.toggle(name) }
      case .header(.banner), nil: break
      }
    case .vote: if await surface.vote() { sent += 1 }
    case .news: await store.reduce { $0.bringNews() }
    case .banner: await store.reduce { $0.isBannerShown = true }
    case .quit: return false
    }
    await shown()
    return true
  }

  /// Waits until every event has been handled and the screen shows the result.
  func shown() async {
    for await state in store.states where state.handled >= sent { break }
    for await state in store.shown.states where state == store.state { break }
  }
}
