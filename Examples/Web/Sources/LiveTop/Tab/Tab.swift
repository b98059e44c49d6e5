import AsyncDiff
import AsyncKnot
import Foundation
import ProcessBoard
import Synchronization
import WebServer

/// One page in a browser: its options, its rows, and its connection.
///
/// A snapshot is created from the binder's state and the board. The data source shows the snapshot, and the tab sends patches as
/// server-sent events. Each step waits for the page, so a snapshot is created only after the page has drawn the previous one. For
/// a slow or disconnected page, the server keeps one revision and no queue.
final class Tab: Sendable {
  private struct Connection {
    var stream: EventStream?
    /// The number of the connection.
    var number = 0
    /// The time when the last connection ended; `nil` before the first connection and while the page is connected.
    var end: ContinuousClock.Instant?
  }

  let binder: TabBinder
  let rows: DiffableDataSource<Part>
  let browser = Browser()
  private let drawn = EventChannel<SnapshotRevision>()
  private let connection = Mutex(Connection())
  /// The tasks of the tab.
  private let bag = TaskBag()
  /// The tasks of the current connection.
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

  /// Replaces the connection.
  ///
  /// - Parameter revision: The revision that the page shows; `nil` for none.
  /// - Returns: The stream of the response.
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
      // Wait for the first snapshot of a new tab, because otherwise the user would see an empty page.
      for await snapshot in rows.snapshots where !snapshot.sections.isEmpty { break }
      for await message in rows.patches(since: revision, full: .whereNeeded, history: 4) {
        await browser.reduce { $0.willSend(message.revision, on: number) }
        stream.send(ServerSentEvent.message(message))
        await browser.whenReady()
      }
    }
    return stream
  }

  /// Records that the page has drawn a revision.
  func didDraw(_ revision: SnapshotRevision) { drawn.send(revision) }

  /// Sends an event if nothing is being sent, so that each side notices when the other has left.
  func beat() {
    guard let stream = connection.withLock({ $0.stream }), stream.isIdle else { return }
    stream.send(ServerSentEvent.beat)
  }

  /// Returns whether the tab has had no page for longer than `time`.
  func isAbandoned(at now: ContinuousClock.Instant, after time: Duration) -> Bool {
    connection.withLock { $0.end.map { now - $0 > time } ?? false }
  }

  /// The time when the last connection ended; `nil` before the first connection and while the page is connected.
  var end: ContinuousClock.Instant? { connection.withLock { $0.end } }

  /// Ends the tab's tasks and its connection.
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
