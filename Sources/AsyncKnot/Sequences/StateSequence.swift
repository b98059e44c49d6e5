/// The states of a holder: the current one at once, then the newer ones, in order.
///
/// ```swift
/// for await state in node.states { print(state.title) }
/// ```
/// Each iterator is its own observer. A conflating one (`states`) remembers only the version it has
/// seen and pulls the newest; a buffering one (`states(buffering:)`) receives the states that its
/// policy keeps.
///
/// While a newer state is there, `next()` returns on the caller's isolation without suspending; it
/// only yields after each slice of about half a millisecond. When the holder goes, the observer receives
/// the last state if it has not seen it, then `nil`. A cancelled task receives `nil`, also while
/// suspended.
public struct StateSequence<State: Sendable>: AsyncSequence, Sendable {
  let core: KnotCore<State>
  let policy: AsyncStream<State>.Continuation.BufferingPolicy?

  /// Makes an observer; a buffering one starts to buffer now.
  public func makeAsyncIterator() -> AsyncIterator {
    guard let policy else { return AsyncIterator(.conflating(core, seen: 0)) }
    return AsyncIterator(.buffering(core.subscribe(policy)))
  }

  /// One observer of the states.
  public struct AsyncIterator: AsyncIteratorProtocol {
    @usableFromInline
    enum Observer {
      /// Pulls the newest state, and remembers the version that it has seen.
      case conflating(KnotCore<State>, seen: UInt64)
      /// Takes from an inbox that the writer fills.
      case buffering(Subscription<State>)
    }

    @usableFromInline var observer: Observer
    @usableFromInline var waiter = Waiter()
    @usableFromInline var slice = Slice()

    init(_ observer: Observer) { self.observer = observer }

    /// The next state that this observer has not seen; `nil` when the holder is gone or the task is
    /// cancelled.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async -> State? {
      if slice.isOver() { await Slice.giveWay() }
      let waiter = waiter
      switch observer {
      case .buffering(let subscription):
        if let state = subscription.inbox.takeIfReady() { return state }
        slice.restart()
        if let state = await subscription.inbox.next(after: (), as: waiter, isolation: actor) {
          return state
        }
      case .conflating(let core, let seen):
        if let (state, version) = core.takeIfReady(after: seen) {
          observer = .conflating(core, seen: version)
          return state
        }
        slice.restart()
        if let (state, version) = await core.next(after: seen, as: waiter, isolation: actor) {
          observer = .conflating(core, seen: version)
          return state
        }
      }
      self.waiter = Waiter()
      return nil
    }

    /// The next state that this observer has not seen.
    @inlinable
    nonisolated(nonsending) public mutating func next() async -> State? {
      await next(isolation: #isolation)
    }
  }
}

extension StateSequence.AsyncIterator {
  /// The version of the last state that this iterator gave; 0 before it, and for one that buffers.
  package var version: UInt64 {
    switch observer {
    case .conflating(_, let seen): seen
    case .buffering: 0
    }
  }
}

extension StateSequence {
  var current: State { core.state }

  /// The current state, and how to make an iterator over those that follow it.
  package func currentAndRest() -> (state: State, rest: @Sendable () -> AsyncIterator) {
    core.refresh()
    let (state, version) = core.withStorage { ($0.state, $0.version) }
    return (state, { [core] in AsyncIterator(.conflating(core, seen: version)) })
  }
}

@available(*, unavailable)
extension StateSequence.AsyncIterator: Sendable {}

extension StateSource {
  /// The current state, then every newer one that the observer is fast enough to see.
  ///
  /// A slow observer skips to the newest state and costs the writer nothing. See ``StateSequence``
  /// for the end, isolation and cancellation.
  public nonisolated var states: StateSequence<State> {
    StateSequence(core: knot.core, policy: nil)
  }

  /// The current state, then the later ones as far as the buffer has room.
  ///
  /// ```swift
  /// for await state in node.states(buffering: .unbounded) { print(state) }   // misses none
  /// ```
  /// Each iterator starts to buffer when it is made. The last state always arrives, whatever the
  /// policy drops: a full `bufferingOldest` buffer is followed by the newest state.
  /// Traps if a bound is below 1.
  public nonisolated func states(
    buffering policy: AsyncStream<State>.Continuation.BufferingPolicy
  ) -> StateSequence<State> {
    policy.checkRoom(for: "state", in: "states(buffering:)")
    return StateSequence(core: knot.core, policy: policy)
  }

  /// The states as an `AsyncStream`, for APIs that want the standard type.
  ///
  /// The stream begins with the current state, and buffers from this call on. Like every
  /// `AsyncStream` it has one consumer; unlike `states` it hops executors for each element, and may
  /// deliver one element after a cancellation. A cancelled task receives `nil`.
  /// It ends when the holder goes; dropping it removes the observer. Traps if a bound is below 1.
  public nonisolated func stateStream(
    buffering policy: AsyncStream<State>.Continuation.BufferingPolicy = .bufferingNewest(1)
  ) -> AsyncStream<State> {
    policy.checkRoom(for: "state", in: "stateStream(buffering:)")
    let subscription = knot.core.subscribe(policy)
    return AsyncStream {
      await subscription.inbox.next(after: (), as: Waiter(), isolation: nil)
    }
  }
}
