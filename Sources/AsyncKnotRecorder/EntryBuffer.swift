internal import AsyncKnot
internal import AsyncOptical
internal import Synchronization

/// The name of a watched holder and its state before the oldest entry.
///
/// The holder is not kept alive.
final class Watched: Sendable {
  /// Keeps a holder on the page; released together with the holder.
  final class Presence: Sendable {
    let watched: Watched

    init(_ watched: Watched) { self.watched = watched }

    deinit { watched.gone.store(true, ordering: .relaxed) }
  }

  let name: String
  let state = Mutex<[StatePart]>([])
  fileprivate let gone = Atomic(false)

  init(_ name: String) { self.name = name.clipped(to: 80) }
}

/// The most recent entries of a recorder.
final class EntryBuffer: Sendable {
  struct Content: Sendable {
    fileprivate(set) var droppedCount = 0
    fileprivate(set) var byteCount = 0
    fileprivate var entries = Fifo<Entry>()
    /// The watched holders.
    ///
    /// A released holder stays in the list until another holder is watched.
    fileprivate var present: [Watched] = []

    /// The entries, oldest first.
    var all: [Entry] {
      var (rest, all) = (entries, [Entry]())
      while let entry = rest.popFirst() { all.append(entry) }
      return all
    }

    /// The holders in `present` and the holders of the entries, each with its state before the oldest entry.
    var holders: [(holder: Watched, state: [StatePart])] {
      var known: Set<ObjectIdentifier> = []
      return (present + all.map(\.holder)).filter { known.insert(ObjectIdentifier($0)).inserted }
        .map { ($0, $0.state.withLock { $0 }) }
    }

    fileprivate mutating func dropOldest() {
      guard let oldest = entries.popFirst() else { return }
      (droppedCount, byteCount) = (droppedCount + 1, byteCount - oldest.byteCount)
      oldest.holder.state.withLock { $0 = $0.applying(oldest.parts) }
    }
  }

  /// No user code runs under the lock, so you can create a page anywhere.
  private let locked = Mutex(Content())
  private let limits: (count: Int, bytes: Int)
  private let stopped = Atomic(false)
  private let start = ContinuousClock.now

  init(_ count: Int, _ bytes: Int) { limits = (count, bytes) }

  func read<Result>(_ body: (Content) -> Result) -> Result { locked.withLock { body($0) } }

  var hasStopped: Bool { stopped.load(ordering: .relaxed) }

  /// Releases all entries; later ones are not recorded.
  func stop() {
    stopped.store(true, ordering: .relaxed)
    locked.withLock { $0 = Content() }
  }

  var now: Int64 { time(of: .now) }

  /// Returns the time from the creation of the recorder to an instant, in microseconds.
  func time(of instant: ContinuousClock.Instant) -> Int64 {
    let (seconds, attoseconds) = (instant - start).components
    return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
  }

  /// Records a holder's first state.
  ///
  /// Changes of the holder that were already dropped precede the oldest entry, so their values override those of `state`.
  func begin(_ watched: Watched, with state: some Sendable) {
    append(Entry("watched", at: now, of: watched))
    let parts = StatePart.parts(of: state)
    locked.withLock { content in
      watched.state.withLock { $0 = parts.applying($0) }
      guard !hasStopped else { return }
      content.present.removeAll { $0.gone.load(ordering: .relaxed) }
      content.present.append(watched)
    }
  }

  func append(_ entry: Entry) {
    locked.withLock { content in
      guard !hasStopped else { return }
      if content.entries.count == limits.count { content.dropOldest() }
      content.entries.append(entry)
      content.byteCount += entry.byteCount
      while content.byteCount > limits.bytes, content.entries.count > 1 { content.dropOldest() }
    }
  }
}
