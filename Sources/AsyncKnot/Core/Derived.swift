internal import Synchronization

/// A source whose state is computed from the states of other sources.
///
/// ```swift
/// let title = Derived(from: session, shop) { session, shop in "\(session.user) at \(shop.title)" }
/// print(title.state)
/// for await title in title.states { print(title) }
/// ```
/// The state is computed when it is read or observed, once for each version of the sources, regardless of the number of
/// observers. A state that equals the previous one does not wake observers. A state that is not `Equatable` always counts as
/// changed. Even if a source is itself derived, the closure receives states that all sources had at the same time.
///
/// A derived source does not keep its sources alive, except that until its first read it keeps those that are derived. Its
/// observers continue after it is released. When all sources are released, the observers receive the last state and their
/// sequences end. An observer whose task is cancelled receives `nil`.
public final class Derived<State: Sendable>: StateSource {
  private enum Content: Sendable {
    /// Creates the core; refers to the sources that are derived.
    case unread(make: @Sendable (Moment) -> KnotCore<State>)
    case made(Knot<State>)
  }

  private let content: Mutex<Content>

  /// Creates a source that notifies its observers only if the new state differs from the previous one.
  ///
  /// - Parameters:
  ///   - source: The sources.
  ///   - make: Computes the state, in the task of a reader or in a separate task. Like a reducer, the closure must not use a
  ///     holder; if it does, the program traps.
  /// - Complexity: O(1). The first state is computed when it is read.
  public init<each Source: StateSource>(
    from source: repeat each Source,
    by make: @escaping @Sendable (repeat (each Source).State) -> State
  ) where State: Equatable {
    let core = (repeat Self.core(of: each source))
    content = Mutex(
      .unread { KnotCore(of: repeat (each core)($0), at: $0, areEqual: ==, by: make) })
  }

  /// Creates a source whose states are not `Equatable`, so it notifies its observers of every new state.
  public init<each Source: StateSource>(
    from source: repeat each Source,
    by make: @escaping @Sendable (repeat (each Source).State) -> State
  ) {
    let core = (repeat Self.core(of: each source))
    content = Mutex(
      .unread { KnotCore(of: repeat (each core)($0), at: $0, areEqual: nil, by: make) })
  }

  /// The knot from which the derived states are read.
  ///
  /// The knot cannot be written from outside.
  public var knot: Knot<State> {
    if Reducer.isRunning { Reducer.refuse(State.self) }
    return Moment.settling { knot(at: $0) }
  }

  private func knot(at moment: Moment) -> Knot<State> {
    content.withLock { content in
      switch content {
      case .made(let knot): return knot
      case .unread(let make):
        let knot = Knot(core: make(moment))
        content = .made(knot)
        moment.afterwards { withExtendedLifetime(make) {} }
        return knot
      }
    }
  }

  /// Returns a closure that gets the core of a source, because a derived source has no core before its first read.
  private static func core<Source: StateSource>(
    of source: Source
  ) -> @Sendable (Moment) -> KnotCore<Source.State> {
    if let derived = source as? Derived<Source.State> { return { derived.knot(at: $0).core } }
    return { [core = source.knot.core] _ in core }
  }
}
