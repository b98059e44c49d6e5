/// The newest states of several sources, together: the current ones at once, then newer ones.
///
/// ```swift
/// for await (user, cart) in states(of: session, shop) { show(user, cart) }
/// ```
/// Each element has the newest state of every source at the moment it was taken; a slow observer
/// skips. A source that is given twice has one state in an element. When no source changes any more, the last element has the last state of every source. The
/// sequence starts no task and keeps no source alive; it ends when all sources are gone. A
/// cancelled task receives `nil`.
public func states<each Source: StateSource>(
  of source: repeat each Source
) -> StatesSequence<repeat (each Source).State> {
  StatesSequence(core: repeat (each source).knot.core)
}

/// The newest states of several sources.
///
/// The compiler (6.3) cannot take the tuples of an opaque sequence apart.
public struct StatesSequence<each State: Sendable>: AsyncSequence, Sendable {
  /// The newest state of each source.
  public typealias Element = (repeat each State)

  let core: (repeat KnotCore<each State>)

  init(core: repeat KnotCore<each State>) { self.core = (repeat each core) }

  /// The current states; one that is given twice is read once.
  package var current: Element {
    var states: [ObjectIdentifier: any Sendable] = [:]
    func read<S>(_ core: KnotCore<S>) -> S {
      let state = states[ObjectIdentifier(core)] as? S ?? core.state
      states[ObjectIdentifier(core)] = state
      return state
    }
    return (repeat read(each core))
  }

  /// Makes an observer.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(core: repeat each core) }

  /// One observer of the states.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let core: (repeat KnotCore<each State>)
    /// The version of each source that was seen.
    private var seen: [UInt64] = []
    /// Where the waiter is registered with each source; `nil` with those that are gone.
    private var tickets: [UInt64?] = []
    private var waiter = Waiter()
    private var slice = Slice()
    /// For each source the index of the first that is the same; nil if all differ.
    ///
    /// A source that is given twice is read once, so that both have one moment.
    private let firsts: [Int]?

    init(core: repeat KnotCore<each State>) {
      self.core = (repeat each core)
      var all: [ObjectIdentifier] = []
      for core in repeat each core { all.append(ObjectIdentifier(core)) }
      firsts = Set(all).count == all.count ? nil : all.map { all.firstIndex(of: $0) ?? 0 }
    }

    /// The next states; `nil` when all sources are gone or the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> Element? {
      if slice.isOver() { await Slice.giveWay() }
      // The loop of `Waitable`, which the compiler (6.3) does not take with parameter packs.
      while !Task.isCancelled {
        waiter.reset()
        if let states = takeIfNew() { return states }
        guard tickets.contains(where: { $0 != nil }) else { return nil }
        slice.restart()
        await waiter.wait(isolation: actor)
        leave()
      }
      return nil
    }

    /// The next states.
    nonisolated(nonsending) public mutating func next() async -> Element? {
      await next(isolation: #isolation)
    }

    /// Reads all states, and registers the waiter with each source in the critical section that reads
    /// it, unless one is new.
    private mutating func takeIfNew() -> Element? {
      var versions: [UInt64] = []
      var tickets: [UInt64?] = []
      var known: [any Sendable] = []
      func read<S>(_ core: KnotCore<S>) -> S {
        if let first = firsts?[versions.count], first < versions.count,
          let state = known[first] as? S
        {
          versions.append(versions[first])
          tickets.append(nil)
          known.append(state)
          return state
        }
        let (state, version, ticket, demand) = core.withStorage { storage in
          let ticket = storage.isFinished ? nil : storage.waiting.insert(waiter)
          return (storage.state, storage.version, ticket, storage.demand.take())
        }
        demand?.ring()
        versions.append(version)
        tickets.append(ticket)
        if firsts != nil { known.append(state) }
        return state
      }
      let states = (repeat read(each core))
      self.tickets = tickets
      guard versions != seen else { return nil }
      seen = versions
      leave()
      return states
    }

    private func leave() {
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
