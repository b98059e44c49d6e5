import AsyncDiff
import AsyncKnot
import Foundation
import ProcessBoard
import Synchronization
import WebServer

/// One page in a browser: what it wants to see, its rows, and the way to it.
///
/// The binder's state and the board make a snapshot, the data source shows it, its patches leave as
/// server-sent events. Each step waits for the page: a snapshot is made only when the page has drawn what
/// it was sent, so a page that is slow or away has one revision here and no queue.
final class Tab: Sendable {
  private struct Connection {
    var stream: EventStream?
    /// Tells one connection of the page from the next.
    var number = 0
    /// When the last one ended; nil while there is one.
    var end: ContinuousClock.Instant?
  }

  let binder: TabBinder
  let rows: DiffableDataSource<Part>
  let browser = Browser()
  private let drawn = EventChannel<SnapshotRevision>()
  private let connection = Mutex(Connection())
  /// What lives as long as the tab, and what lives as long as its connection.
  private let bag = TaskBag()
  private let sending = TaskBag()

  init(sampler: Sampler, arrangements: Arrangements) {
    binder = TabBinder(sampler: sampler)
    rows = DiffableDataSource(surface: browser)
    drawn.subscribe().pipe(to: browser, in: bag) { revision, state in state.didDraw(revision) }
    states(of: sampler, binder)
      .paced { [browser] in await browser.whenReady() }
      .pipe(to: rows, in: bag) { board, tab in arrangements.snapshot(of: board, for: tab) }
  }

  deinit { close() }

  /// Whether a page is connected.
  var isConnected: Bool { connection.withLock { $0.stream != nil } }

  /// Begins a connection in place of the one before.
  ///
  /// - Parameter revision: What the page shows already; nil for nothing.
  /// - Returns: The answer to the page.
  func connect(since revision: SnapshotRevision?) -> EventStream {
    let number = connection.withLock { connection in
      connection.number += 1
      return connection.number
    }
    let stream = EventStream { [weak self] in self?.disconnect(number) }
    let old = connection.withLock { connection in
      connection.end = nil
      return connection.stream.swap(stream)
    }
    sending.cancel()
    old?.finish()
    stream.send(ServerSentEvent.retry)
    sending.add { [rows, browser] in
      await browser.reduce { $0.connect(number) }
      // The first snapshot of a new tab is on its way; an empty one would be seen.
      for await snapshot in rows.snapshots where !snapshot.sections.isEmpty { break }
      for await message in rows.patches(since: revision, full: .whereNeeded, history: 4) {
        await browser.reduce { $0.willSend(message.revision, on: number) }
        stream.send(ServerSentEvent.message(message))
        await browser.whenReady()
      }
    }
    return stream
  }

  /// Notes what the page says that it shows.
  func didDraw(_ revision: SnapshotRevision) { drawn.send(revision) }

  /// Has the page hear something, so that both sides find out when the other has gone.
  func beat() {
    guard let stream = connection.withLock({ $0.stream }), stream.isIdle else { return }
    stream.send(ServerSentEvent.beat)
  }

  /// Whether nobody has been there for some time.
  func isAbandoned(at now: ContinuousClock.Instant, after time: Duration) -> Bool {
    connection.withLock { $0.end.map { now - $0 > time } ?? false }
  }

  /// When the last connection ended; nil while there is one.
  var end: ContinuousClock.Instant? { connection.withLock { $0.end } }

  /// Ends everything.
  func close() {
    sending.cancel()
    bag.cancel()
    connection.withLock { $0.stream.take() }?.finish()
  }

  private func disconnect(_ number: Int) {
    let isLast = connection.withLock { connection in
      guard connection.number == number else { return false }
      connection.stream = nil
      connection.end = .now
      return true
    }
    guard isLast else { return }
    sending.cancel()
    bag.add { [browser] in await browser.reduce { $0.disconnect(number) } }
  }
}

extension Optional {
  fileprivate mutating func swap(_ new: Wrapped) -> Wrapped? {
    let old = self
    self = new
    return old
  }
}
