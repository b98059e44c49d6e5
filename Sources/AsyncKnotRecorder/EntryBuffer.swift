internal import AsyncKnot
internal import AsyncOptical
internal import Synchronization

/// The name of a watched holder and its state before the oldest entry.
///
/// The holder is not kept alive.
final class Watched: Sendable {
  let name: String
  let state = Mutex<[StatePart]>([])

  init(_ name: String) { self.name = Excerpt.clipped(name, 80) }
}

/// The most recent entries of a recorder.
final class EntryBuffer: Sendable {
  struct Content: Sendable {
    fileprivate(set) var droppedCount = 0
    fileprivate(set) var byteCount = 0
    fileprivate var entries = Fifo<Entry>()

    /// The entries, oldest first, each with the state that its holder had before the oldest entry.
    var all: [(entry: Entry, state: [StatePart])] {
      var (rest, all) = (entries, [(entry: Entry, state: [StatePart])]())
      while let entry = rest.popFirst() { all.append((entry, entry.holder.state.withLock { $0 })) }
      return all
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

  var now: Int { time(of: .now) }

  /// The time from the creation of the recorder to an instant, in microseconds.
  func time(of instant: ContinuousClock.Instant) -> Int {
    let (seconds, attoseconds) = (instant - start).components
    return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
  }

  /// Records a holder's first state.
  ///
  /// Changes of the holder that were already dropped precede the oldest entry, so their values override those of `state`.
  func begin(_ watched: Watched, with state: some Sendable) {
    append(Entry("watched", at: now, of: watched))
    let parts = StatePart.parts(of: state)
    locked.withLock { _ in watched.state.withLock { $0 = parts.applying($0) } }
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
