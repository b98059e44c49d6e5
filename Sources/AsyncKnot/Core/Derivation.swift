internal import Synchronization

/// Computes the states of one core from the states of other cores.
///
/// The closure and the comparison run under the derivation's own lock, so that each version is computed once. The rules of a
/// reducer apply to both: neither may use a holder.
@usableFromInline
final class Derivation<State: Sendable>: Sendable {
  /// Reads the sources and returns their versions and a closure that computes the state.
  typealias Prepare = @Sendable (Moment) -> (versions: [UInt64], make: () -> State)

  struct Progress {
    /// The versions of the sources from which the state was computed.
    var seen: [UInt64] = []
    /// The core's ticket at each source; `nil` for a source that has ended.
    var tickets: [UInt64?] = []
  }

  /// The derived cores among the direct and indirect sources, deepest first.
  ///
  /// Their locks are taken in this order.
  let upstream: [any Upstream]
  let depth: Int
  /// The holders' cores among the direct and indirect sources.
  let roots: [any Upstream]
  private let sources: [any Upstream]
  private let prepare: Prepare
  /// Compares the old state with the new one; `nil` if every computed state counts as a change.
  private let areEqual: (@Sendable (State, State) -> Bool)?
  private let progress = Mutex(Progress())
  /// Whether the core is registered with its sources for their next change.
  private let isFollowing = Atomic(false)
  private let highestObserverPriority = Atomic<UInt8>(0)

  init<each Source: Sendable>(
    of source: repeat KnotCore<each Source>, areEqual: (@Sendable (State, State) -> Bool)?,
    by make: @escaping @Sendable (repeat each Source) -> State
  ) {
    var sources: [any Upstream] = []
    for core in repeat each source { sources.append(core) }
    var upstream: [ObjectIdentifier: any Upstream] = [:]
    for core in sources.flatMap(\.derivedCores) { upstream[ObjectIdentifier(core)] = core }
    self.upstream = upstream.sorted { ($1.value.depth, $0.key) < ($0.value.depth, $1.key) }
      .map(\.value)
    depth = 1 + (self.upstream.first?.depth ?? 0)
    (self.sources, self.areEqual) = (sources, areEqual)
    var known: Set<ObjectIdentifier> = []
    roots = sources.flatMap(\.roots).filter { known.insert(ObjectIdentifier($0)).inserted }
    prepare = { moment in
      var versions: [UInt64] = []
      func read<S>(_ core: KnotCore<S>) -> S {
        let reading = moment.reading(of: core)
        versions.append(reading.version)
        return reading.state
      }
      let states = (repeat read(each source))
      return (versions, { make(repeat each states) })
    }
  }

  /// Computes the core's initial state.
  func initialState(at moment: Moment) -> State {
    moment.roots = roots
    return progress.withLock { progress in
      evaluate(upstream[...], at: moment)
      let (versions, make) = prepare(moment)
      progress.seen = versions
      return Reducer.marking(State.self, make)
    }
  }

  /// Whether this derivation and all upstream derivations were computed from the newest states of their sources.
  ///
  /// Each source is checked before the cores that were computed from it. In the opposite order, another thread could recompute a
  /// source after this core was compared with it, and this core's outdated state would count as current.
  private var isCurrent: Bool {
    upstream.reversed().allSatisfy(\.hasSeenItsSources) && hasSeenItsSources
  }

  /// Whether the state was computed from the states that the sources store now, which may themselves be out of date.
  var hasSeenItsSources: Bool {
    Spawn.preemptionPoint()
    return progress.withLock { zip(sources, $0.seen).allSatisfy { $0.version == $1 } }
  }

  /// Recomputes the core's state if a source has changed.
  @usableFromInline
  func refresh(_ core: KnotCore<State>) {
    if Reducer.isRunning { Reducer.refuse(State.self) }
    if isCurrent { return }
    Moment.settling { moment in
      moment.roots = roots
      evaluate(core, at: moment, after: upstream[...])
    }
  }

  /// Evaluates the remaining derived cores.
  ///
  /// If no core remains, reads the roots instead, because all locks are taken by then.
  private func evaluate(_ others: ArraySlice<any Upstream>, at moment: Moment) {
    if let first = others.first {
      first.evaluate(at: moment, after: others.dropFirst())
    } else {
      moment.readRoots()
    }
  }

  /// Evaluates `others` and then `core`, which keeps its old state if the new state is equal.
  ///
  /// All locks are taken before any state is read, and all roots are read before any state is computed. So this moment is never
  /// older than the moment of the last evaluation, and all cores get states of the same moment.
  func evaluate(
    _ core: KnotCore<State>, at moment: Moment, after others: ArraySlice<any Upstream>
  ) {
    progress.withLock { progress in
      evaluate(others, at: moment)
      defer { _ = moment.reading(of: core) }
      let (versions, make) = prepare(moment)
      guard versions != progress.seen else { return }
      progress.seen = versions
      let old = core.withStorage { $0.state }
      let new = Reducer.marking(State.self, make)
      moment.afterwards {
        withExtendedLifetime(old) {}
        withExtendedLifetime(new) {}
      }
      if let areEqual, Reducer.marking(State.self, { areEqual(old, new) }) { return }
      let news = core.withStorage { storage in
        storage.state = new
        storage.version &+= 1
        return News(from: &storage)
      }
      // Deposit the state under the lock, so that buffers receive the states in order and before the end of the sequence.
      for slot in news.inboxes {
        guard let deposit = slot.element?.deposit(new) else { continue }
        moment.afterwards { withExtendedLifetime(deposit.dropped) { deposit.woken?.ring() } }
      }
      moment.afterwards { for slot in news.woken { slot.element?.ring() } }
      _ = unregisterIfUnobserved(core, &progress, moment)
    }
  }

  /// Registers the core with its sources if it has an observer; otherwise unregisters it.
  ///
  /// If a source has changed since the core's state was computed, handles that change. `priority` is that of a new observer, or 0.
  @usableFromInline
  func follow(for core: KnotCore<State>, priority: UInt8 = 0) {
    Spawn.preemptionPoint()
    if !Moment.settling({ follow(for: core, $0, priority: priority) }) { accept(for: core) }
  }

  /// Does the part of `follow(for:)` that needs the derivation's lock.
  ///
  /// Returns `false`, without registering the core, if a source has a newer state.
  func follow(for core: KnotCore<State>, _ moment: Moment, priority: UInt8 = 0) -> Bool {
    progress.withLock { progress in
      if unregisterIfUnobserved(core, &progress, moment) { return true }
      raise(to: priority)
      if isFollowing.load(ordering: .acquiring) {
        raiseSources()
        return true
      }
      unregister(&progress, moment)
      isFollowing.store(true, ordering: .releasing)
      for (source, version) in zip(sources, progress.seen) {
        let (isCurrent, ticket) = source.register(core, after: version, moment)
        progress.tickets.append(ticket)
        guard isCurrent else {
          unregister(&progress, moment)
          return false
        }
      }
      // After the registration, because a source without observers forgets their priority.
      raiseSources()
      if progress.tickets.allSatisfy({ $0 == nil }) { moment.afterwards { core.finish() } }
      return true
    }
  }

  /// Takes on the priority of an observer that is more urgent than the others.
  func raise(to priority: UInt8) { highestObserverPriority.max(priority, ordering: .relaxed) }

  private func raiseSources() {
    let priority = highestObserverPriority.load(ordering: .relaxed)
    for source in upstream { source.raise(to: priority) }
  }

  /// Handles a change of a source.
  ///
  /// If several sources ring the core, only the first ring after the core's registration has an effect.
  func ring(for core: KnotCore<State>) {
    if isFollowing.exchange(false, ordering: .acquiringAndReleasing) { accept(for: core) }
  }

  /// Wakes the observers if every state counts as a change and no observer buffers states.
  ///
  /// Otherwise starts a task that computes the new state, because the state must be compared or buffered first.
  private func accept(for core: KnotCore<State>) {
    let news = core.withStorage { storage in
      areEqual == nil && storage.inboxes.isEmpty ? News(from: &storage) : nil
    }
    if let news { return news.publish() }
    let priority = TaskPriority(rawValue: highestObserverPriority.load(ordering: .relaxed))
    Spawn.apart(priority: max(priority, Task.currentPriority)) { [self] in
      if core.withStorage({ $0.isUnobserved }) { return }
      refresh(core)
      follow(for: core)
    }
  }

  private func unregisterIfUnobserved(
    _ core: KnotCore<State>, _ progress: inout Progress, _ moment: Moment
  ) -> Bool {
    guard core.withStorage({ $0.isUnobserved }) else { return false }
    highestObserverPriority.store(0, ordering: .relaxed)
    unregister(&progress, moment)
    return true
  }

  private func unregister(_ progress: inout Progress, _ moment: Moment) {
    isFollowing.store(false, ordering: .releasing)
    for (source, ticket) in zip(sources, progress.tickets) {
      if let ticket { source.unregister(ticket, moment) }
    }
    progress.tickets = []
  }
}
