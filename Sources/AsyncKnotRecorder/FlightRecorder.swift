public import AsyncKnot
internal import AsyncOptical

/// Keeps an app's most recent events and state changes in memory, and returns them as a page for a browser.
///
/// ```swift
/// let recorder = FlightRecorder(last: 2_000)
/// recorder.watch(feed, as: "Feed")
/// await feed.perform(.load)
/// print(recorder.page())
/// ```
/// A recorder records until it is released, and does not keep holders alive. The page shows the contents of requests, states and
/// errors, so protect it like any other data of your users. You can call every method from any thread.
public final class FlightRecorder: Sendable {
  let entries: EntryBuffer
  private let bag = TaskBag()

  /// Creates a recorder without holders.
  ///
  /// - Parameters:
  ///   - count: The number of events to keep, at least 1.
  ///   - bytes: The memory for events, in bytes; when it is full, the oldest events are dropped.
  public init(last count: Int = 2_000, bytes: Int = 4_000_000) {
    precondition(
      count > 0, "FlightRecorder(last:): needs room for at least 1 event; got \(count)")
    precondition(bytes > 0, "FlightRecorder(bytes:): needs room for at least 1 byte; got \(bytes)")
    entries = EntryBuffer(count, bytes)
  }

  deinit { entries.stop() }

  /// The number of events that were dropped to make room for newer ones.
  public var droppedCount: Int { entries.read { $0.droppedCount } }

  /// An upper estimate of the memory that the events use, in bytes.
  public var byteCount: Int { entries.read { $0.byteCount } }

  /// Starts to record a source: every event of an opticle or a binder, or the states of any other source.
  ///
  /// A message of an opticle or a binder is converted to text when it is sent. A change is converted when it happens, usually on
  /// the actor. The states of another source, such as a `StateActor` or a `Derived`, are converted in a task, which skips a state
  /// that is replaced immediately.
  ///
  /// - Parameters:
  ///   - source: The source, which is not kept alive. A source that is watched twice is recorded twice.
  ///   - name: The name of the source on the page.
  /// - Complexity: O(the size of the state) for each change; for an `Equatable` property that is unchanged, only the cost of one
  ///   `==`.
  public func watch(_ source: some StateSource, as name: String) {
    let watched = Watched(name)
    let presence = Watched.Presence(watched)
    guard let dispatcher = source as? any Dispatcher else {
      let (first, states) = (source.state, source.states)
      entries.begin(watched, with: first)
      bag.add { [entries] in
        var last = first
        for await state in states {
          let parts = StatePart.changed(from: last, to: state)
          if !parts.isEmpty {
            entries.append(Entry("changed", at: entries.now, of: presence.watched, parts: parts))
          }
          last = state
        }
      }
      return
    }
    dispatcher.trace(until: { [entries] in entries.hasStopped }) { [entries] event in
      entries.append(Entry(event, at: entries.time(of: event.instant), of: presence.watched))
    }
    entries.begin(watched, with: source.state)
  }

  /// Returns a self-contained HTML page that shows the events, and the states at each event.
  ///
  /// Recorded text is escaped, so no title or name can run a script.
  ///
  /// - Complexity: O(bytes kept).
  public func page() -> String { entries.read(Page.init).html }
}
