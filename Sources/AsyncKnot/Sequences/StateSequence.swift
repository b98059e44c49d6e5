/// The states of a holder, in order, beginning with the current one.
///
/// ```swift
/// for await state in node.states { print(state.title) }
/// ```
/// Each iterator is a separate observer. A skipping iterator (`states`) remembers only the last version that it has seen, and
/// pulls the newest state. A buffering iterator (`states(buffering:)`) receives the states that its policy keeps.
///
/// While a newer state is available, `next()` returns it on the caller's isolation without suspending, except that it yields
/// after each slice of about half a millisecond. When the holder is released, an observer receives the last state, unless it has
/// already seen that state, and then receives `nil`. A cancelled task receives `nil`, even if it is already suspended.
public struct StateSequence<State: Sendable>: AsyncSequence, Sendable {
  let core: KnotCore<State>
  let policy: AsyncStream<State>.Continuation.BufferingPolicy?

  /// Creates an observer.
  ///
  /// A buffering observer starts to buffer immediately.
  public func makeAsyncIterator() -> AsyncIterator {
    guard let policy else { return AsyncIterator(.conflating(core, seen: 0)) }
    return AsyncIterator(.buffering(core.subscribe(policy)))
  }

  /// An observer of the states.
  public struct AsyncIterator: AsyncIteratorProtocol {
    @usableFromInline
    enum Observer {
      /// Pulls the newest state and remembers the last version that it has seen.
      case conflating(KnotCore<State>, seen: UInt64)
      /// Takes states from an inbox that the writer fills.
      case buffering(Subscription<State>)
    }

    @usableFromInline var observer: Observer
    @usableFromInline var waiter = Waiter()
    @usableFromInline var slice = Slice()

    init(_ observer: Observer) { self.observer = observer }

    /// Returns the next state that this observer has not seen.
    ///
    /// Returns `nil` if the holder was released and the observer has seen the last state, or if the task is cancelled.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async -> State? {
      if slice.isOver() { await Slice.yield() }
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

    /// Returns the next state that this observer has not seen.
    @inlinable
    nonisolated(nonsending) public mutating func next() async -> State? {
      await next(isolation: #isolation)
    }
  }
}

extension StateSequence.AsyncIterator {
  /// The version of the state that this iterator returned last; 0 before the first state, and always 0 for a buffering iterator.
  package var version: UInt64 {
    switch observer {
    case .conflating(_, let seen): seen
    case .buffering: 0
    }
  }
}

extension StateSequence {
  var current: State { core.state }

  /// Returns the current state and a closure that creates an iterator over the later states.
  package func currentAndRest() -> (state: State, rest: @Sendable () -> AsyncIterator) {
    core.refresh()
    let (state, version) = core.withStorage { ($0.state, $0.version) }
    return (state, { [core] in AsyncIterator(.conflating(core, seen: version)) })
  }
}

@available(*, unavailable)
extension StateSequence.AsyncIterator: Sendable {}

extension StateSource {
  /// The current state, then each newer state that the observer is fast enough to see.
  ///
  /// A slow observer skips to the newest state and costs the writer nothing. ``StateSequence`` describes when the sequence ends,
  /// where `next()` runs, and how cancellation works.
  public nonisolated var states: StateSequence<State> {
    StateSequence(core: knot.core, policy: nil)
  }

  /// Returns a sequence of the current state, then the later states for which the buffer has room.
  ///
  /// ```swift
  /// for await state in node.states(buffering: .unbounded) { print(state) }   // receives every state
  /// ```
  /// Each iterator starts to buffer when it is created. The last state always arrives, even if the policy drops states: after the
  /// states of a full `bufferingOldest` buffer, the observer receives the newest state. Traps if the policy's limit is less than
  /// 1.
  public nonisolated func states(
    buffering policy: AsyncStream<State>.Continuation.BufferingPolicy
  ) -> StateSequence<State> {
    policy.checkRoom(for: "state", in: "states(buffering:)")
    return StateSequence(core: knot.core, policy: policy)
  }

  /// Returns the states as an `AsyncStream`, for APIs that require the standard type.
  ///
  /// The stream begins with the current state and starts to buffer with this call. Like every `AsyncStream`, it has one consumer.
  /// Unlike `states`, the stream switches executors for each element, and a cancelled task may receive one more element before
  /// `nil`. The stream ends when the holder is released. Releasing the stream removes the observer. Traps if the policy's limit
  /// is less than 1.
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
