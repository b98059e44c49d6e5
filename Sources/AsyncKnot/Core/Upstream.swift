/// An object that a core notifies of a change: a waiting consumer or a derived core.
@usableFromInline
protocol Wakeable: AnyObject, Sendable {
  func ring()
}

/// A core in its role as a source of derivations.
///
/// Derivations form a graph without cycles, because the sources exist before the derivation. The lock of a derivation is taken
/// before the locks of its upstream derivations, deepest first, and before the lock of any core.
protocol Upstream: Wakeable {
  /// The length of the longest path to a holder's core, whose depth is 0.
  var depth: Int { get }
  /// The derived cores among this core and its upstream cores.
  var derivedCores: [any Upstream] { get }

  /// The holders' cores from which this core gets its states: only this core itself if a holder writes it.
  var roots: [any Upstream] { get }

  /// Adds this core's stored state to `moment`, and returns the state's version.
  func read(at moment: Moment) -> UInt64

  /// The version of the stored state, which may be out of date.
  var version: UInt64 { get }
  /// Whether a derived core was computed from the stored states of its sources; `true` for a holder's core.
  var hasSeenItsSources: Bool { get }

  /// Evaluates `others` and then this core from the states of `moment`, and adds this core's state to `moment`.
  func evaluate(at moment: Moment, after others: ArraySlice<any Upstream>)

  /// Registers a derived core, unless this core has a newer version.
  ///
  /// The ticket is `nil` if this core has ended.
  func register(
    _ core: any Wakeable, after version: UInt64, _ moment: Moment
  ) -> (isCurrent: Bool, ticket: UInt64?)

  func unregister(_ ticket: UInt64, _ moment: Moment)

  /// Takes on the priority of an observer of a derived core.
  func raise(to priority: UInt8)
}

extension KnotCore {
  /// Creates a core whose states are computed from those of other cores, and computes the first state.
  convenience init<each Source: Sendable>(
    of source: repeat KnotCore<each Source>, at moment: Moment,
    areEqual: (@Sendable (State, State) -> Bool)?,
    by make: @escaping @Sendable (repeat each Source) -> State
  ) {
    let derivation = Derivation(of: repeat each source, areEqual: areEqual, by: make)
    self.init(derivation.initialState(at: moment), by: derivation)
    moment.restart()
  }

  /// Recomputes the state of a derived core if a source has changed.
  @inlinable func refresh() { derivation?.refresh(self) }

  /// Registers a derived core with its sources for a new observer, the current task.
  @inlinable
  func follow() { derivation?.follow(for: self, priority: Task.currentPriority.rawValue) }

  /// Unregisters a derived core from its sources if its last observer has left.
  @usableFromInline func unfollow() { derivation?.follow(for: self) }
}

extension KnotCore: Upstream {
  var depth: Int { derivation?.depth ?? 0 }

  var derivedCores: [any Upstream] { derivation.map { [self] + $0.upstream } ?? [] }

  var roots: [any Upstream] { derivation?.roots ?? [self] }

  func read(at moment: Moment) -> UInt64 { moment.reading(of: self).version }

  @usableFromInline func ring() { derivation?.ring(for: self) }

  var version: UInt64 { withStorage { $0.version } }

  var hasSeenItsSources: Bool { derivation?.hasSeenItsSources != false }

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

  func raise(to priority: UInt8) { derivation?.raise(to: priority) }
}
