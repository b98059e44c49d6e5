/// The newest states of several sources, together: the current ones at once, then newer ones.
///
/// ```swift
/// for await (user, cart) in states(of: session, shop) { show(user, cart) }
/// ```
///
/// Each element has the newest state of every source at the moment it was taken; a slow observer
/// skips. When no source changes any more, the last element has the last state of every source. The
/// sequence starts no task and keeps no source alive; it ends when all sources are gone. A
/// cancelled task receives `nil`.
///
/// - Parameter source: The sources whose states are read.
/// - Returns: A sequence of tuples; each of its iterators is an observer of its own.
public func states<each Source: StateSource>(
  of source: repeat each Source
) -> StatesSequence<repeat (each Source).State> {
  StatesSequence(core: repeat (each source).knot.core)
}

/// The newest states of several sources.
public struct StatesSequence<each State: Sendable>: AsyncSequence, Sendable {
  /// What the sequence delivers.
  public typealias Element = (repeat each State)
  /// It never fails.
  public typealias Failure = Never

  let core: (repeat KnotCore<each State>)

  init(core: repeat KnotCore<each State>) {
    self.core = (repeat each core)
  }

  /// Makes an observer.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(core: repeat each core)
  }

  /// One observer of the states.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let core: (repeat KnotCore<each State>)
    /// The version of each source that was seen, in order.
    private var seen: [UInt64] = []
    private var slice = Slice()

    init(core: repeat KnotCore<each State>) {
      self.core = (repeat each core)
    }

    /// The next states.
    ///
    /// - Parameter actor: The caller's isolation. The method leaves it only to wait, or to yield
    ///   after a slice.
    /// - Returns: The states; `nil` when all sources are gone or the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> Element? {
      if slice.isOver() { await Slice.giveWay() }
      while !Task.isCancelled {
        if let states = readIfNew() { return states }
        guard let wait = reserve() else { return nil }
        slice.restart()
        await wait.bell.wait(isolation: actor)
        cancel(wait.tickets)
      }
      return nil
    }

    /// The next states.
    nonisolated(nonsending) public mutating func next() async -> Element? {
      await next(isolation: #isolation)
    }

    /// Reads all states; `nil` if none of them is new.
    private mutating func readIfNew() -> Element? {
      var versions: [UInt64] = []
      func read<S>(_ core: KnotCore<S>) -> S {
        core.checkApart()
        let (state, version) = core.withStorage { ($0.state, $0.version) }
        versions.append(version)
        return state
      }
      let states = (repeat read(each core))
      guard versions != seen else { return nil }
      seen = versions
      return states
    }

    /// Reserves a place in the wait list of every source that is still there.
    ///
    /// The method rings the bell if a source has a newer state already.
    ///
    /// - Returns: The bell and the places; `nil` when all sources are gone.
    private func reserve() -> (bell: Bell, tickets: [UInt64?])? {
      let bell = Bell()
      var tickets: [UInt64?] = []
      var isFinished = true
      for core in repeat each core {
        let version = seen[tickets.count]
        let (ticket, hasNews, isGone) = core.withStorage { storage in
          let hasNews = storage.version != version
          let ticket =
            hasNews || storage.isFinished ? nil : storage.waiting.reserve(for: bell)
          return (ticket, hasNews, storage.isFinished)
        }
        tickets.append(ticket)
        if hasNews { bell.ring() }
        if hasNews || !isGone { isFinished = false }
      }
      return isFinished ? nil : (bell, tickets)
    }

    /// Removes the places that are still reserved.
    private func cancel(_ tickets: [UInt64?]) {
      var index = 0
      for core in repeat each core {
        if let ticket = tickets[index] { _ = core.withStorage { $0.waiting.remove(ticket) } }
        index += 1
      }
    }
  }
}

@available(*, unavailable)
extension StatesSequence.AsyncIterator: Sendable {}
