internal import Synchronization

/// A source whose state is made from those of other sources.
///
/// ```swift
/// let title = Derived(from: session, shop) { session, shop in "\(session.user) at \(shop.title)" }
/// print(title.state)
/// for await title in title.states { print(title) }
/// ```
/// The state is computed when it is read or observed, once for each version of the sources, however many
/// observers there are. A state that equals the last one wakes no observer; one that is not `Equatable`
/// counts as another each time. The sources of a derived source may be derived, too: all states that are
/// combined are those of one moment.
///
/// A derived source keeps no source alive, and its observers do not need it: they get the last state, and
/// then the end, when all sources are gone. A cancelled observer gets `nil`.
public final class Derived<State: Sendable>: StateSource {
  private let made = Mutex<Knot<State>?>(nil)
  private let make: @Sendable (Moment) -> KnotCore<State>

  /// Creates a source whose states are compared.
  ///
  /// - Parameters:
  ///   - source: The sources, which are not kept alive.
  ///   - make: Computes the state, in the task of a reader or in one of its own. Like a reducer it must
  ///     use no holder: that ends the program.
  /// - Complexity: O(1); the first state is computed when it is read.
  public init<each Source: StateSource>(
    from source: repeat each Source,
    by make: @escaping @Sendable (repeat (each Source).State) -> State
  ) where State: Equatable {
    let core = (repeat Self.core(of: each source))
    self.make = { KnotCore(of: repeat (each core)($0), at: $0, areEqual: ==, by: make) }
  }

  /// Creates a source whose states cannot be compared.
  public init<each Source: StateSource>(
    from source: repeat each Source,
    by make: @escaping @Sendable (repeat (each Source).State) -> State
  ) {
    let core = (repeat Self.core(of: each source))
    self.make = { KnotCore(of: repeat (each core)($0), at: $0, areEqual: nil, by: make) }
  }

  /// The knot of the states, from which they are read; nothing writes it.
  public var knot: Knot<State> {
    if Reducer.isRunning { Reducer.refuse(State.self) }
    return Moment.settling { knot(at: $0) }
  }

  private func knot(at moment: Moment) -> Knot<State> {
    made.withLock { made in
      if let made { return made }
      let knot = Knot(core: make(moment))
      made = knot
      return knot
    }
  }

  /// Returns how to get the core of a source: a derived one has none before it is read.
  private static func core<Source: StateSource>(
    of source: Source
  ) -> @Sendable (Moment) -> KnotCore<Source.State> {
    if let derived = source as? Derived<Source.State> { return { derived.knot(at: $0).core } }
    return { [core = source.knot.core] _ in core }
  }
}
