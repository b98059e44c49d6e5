/// What is rung when a core has news: a consumer that waits, or a core that is derived from it.
@usableFromInline
protocol Wakeable: AnyObject, Sendable {
  func ring()
}

/// A core, as the derivations below it see it.
///
/// A derivation is a graph without cycles, because its sources exist before it. Its lock is taken before
/// the locks of the derivations above it, the deepest first, and before that of any core.
protocol Upstream: Wakeable {
  /// The length of the longest way up to a holder; 0 for the core of a holder.
  var depth: Int { get }
  /// This core, if it is derived, and those above it.
  var derivedCores: [any Upstream] { get }

  /// Whether this version is the newest.
  func isCurrent(_ version: UInt64) -> Bool

  /// Evaluates these cores and then this one from the states of a moment, in which its own is kept.
  func evaluate(at moment: Moment, after others: ArraySlice<any Upstream>)

  /// Registers a derived core, unless there is a newer version; without a ticket if there will be none.
  func register(
    _ core: any Wakeable, after version: UInt64, _ moment: Moment
  ) -> (isCurrent: Bool, ticket: UInt64?)

  func unregister(_ ticket: UInt64, _ moment: Moment)
}

extension KnotCore {
  /// Creates a core whose states are made from those of others; makes the first one.
  convenience init<each Source: Sendable>(
    of source: repeat KnotCore<each Source>, at moment: Moment,
    areEqual: (@Sendable (State, State) -> Bool)?,
    by make: @escaping @Sendable (repeat each Source) -> State
  ) {
    let derivation = Derivation(of: repeat each source, areEqual: areEqual, by: make)
    self.init(derivation.first(at: moment), by: derivation)
    moment.restart()
  }

  /// Brings a derived core up to date.
  @inlinable func refresh() { derivation?.refresh(self) }

  /// Lets a derived core follow its sources for as long as it is observed.
  @inlinable func follow() { derivation?.follow(for: self) }
}

extension KnotCore: Upstream {
  var depth: Int { derivation?.depth ?? 0 }

  var derivedCores: [any Upstream] { derivation.map { [self] + $0.upstream } ?? [] }

  @usableFromInline func ring() { derivation?.ring(for: self) }

  func isCurrent(_ version: UInt64) -> Bool {
    derivation?.isCurrent != false && withStorage { $0.version == version }
  }

  func evaluate(at moment: Moment, after others: ArraySlice<any Upstream>) {
    derivation?.evaluate(self, at: moment, after: others)
  }

  func register(
    _ core: any Wakeable, after version: UInt64, _ moment: Moment
  ) -> (isCurrent: Bool, ticket: UInt64?) {
    let (isCurrent, ticket, demand): (Bool, UInt64?, Waiter?) = withStorage { storage in
      guard storage.version == version else { return (false, nil, nil) }
      return (
        true, storage.isFinished ? nil : storage.waiting.insert(core), storage.demand.take()
      )
    }
    if let demand { moment.afterwards(demand.ring) }
    return (isCurrent && derivation?.follow(for: self, moment) != false, ticket)
  }

  func unregister(_ ticket: UInt64, _ moment: Moment) {
    let core = withStorage { $0.waiting.remove(ticket) }
    moment.afterwards { withExtendedLifetime(core) {} }
    _ = derivation?.follow(for: self, moment)
  }
}
