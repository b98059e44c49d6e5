public import AsyncKnot

/// An actor that follows a source; observers can follow the relay instead of the source, with the same revisions.
///
/// <!-- sample:
/// struct Upstream {
///   let messages = AsyncThrowingStream<SnapshotMessage<Day>, any Error> { _ in }
///   func ask(since known: SnapshotRevision?) async throws {}
/// }
/// func pass(on upstream: Upstream) async throws {
///   …
/// }
/// -->
/// ```swift
/// let relay = SnapshotRelay<Day>()
/// for try await message in upstream.messages {
///   do throws(MirrorError) {
///     try await relay.apply(message)
///   } catch {
///     try await upstream.ask(since: relay.revision)
///   }
/// }
/// ```
/// A relay applies messages to a ``SnapshotMirror``, which is its state. An observer of ``patches(since:full:)`` gets the same
/// snapshots as from the source. The observer can switch between relays and the source, and continues with one patch if the new
/// relay or source still has the observer's revision. An observer that is ahead of a relay waits for the relay to catch up, so
/// the observer never goes back. When the source starts a new epoch, so does the relay.
///
/// A relay can also be the origin of a list, for example with a store that has its own revisions. In that case, create the relay
/// with a mirror from ``SnapshotMirror/init(_:at:)``. For each change, store the patch that ``SnapshotMirror/patch(to:)``
/// returns, and then apply it to the relay.
public actor SnapshotRelay<Section: SectionInflator>: StateSource {
  /// The knot that holds the newest mirror.
  public nonisolated let knot: Knot<SnapshotMirror<Section>>

  private let hub: PatchHub<Section>
  private let history: Int

  /// Creates a relay; traps if `history` is negative.
  ///
  /// - Parameters:
  ///   - mirror: The relay's first state.
  ///   - history: The number of received snapshots that the relay keeps for observers that reconnect or switch to it.
  ///     Snapshots share the storage of common sections.
  @inlinable
  public init(_ mirror: SnapshotMirror<Section> = SnapshotMirror(), history: Int = 32) {
    self.init(mirror, history: history, compare: { $0.batches(to: $1) })
  }

  @usableFromInline
  init(
    _ mirror: SnapshotMirror<Section>, history: Int,
    compare: @escaping DiffableSnapshot<Section>.Compare
  ) {
    require(
      history >= 0,
      "SnapshotRelay(_:history:): needs a history of at least 0 snapshots; got \(history)")
    knot = Knot(mirror)
    hub = PatchHub(compare: compare)
    self.history = history
    if let shown = mirror.shown { hub.remember(shown, limit: history) }
  }

  /// The source's snapshot; empty if the relay has none yet.
  public nonisolated var snapshot: DiffableSnapshot<Section> { state.snapshot }

  /// The revision of ``snapshot``, for the source's `patches(since:)`.
  public nonisolated var revision: SnapshotRevision? { state.revision }

  /// Applies a message and notifies the observers of the change.
  ///
  /// - Parameter message: The source's next message.
  /// - Returns: The effect of the message.
  /// - Throws: ``MirrorError``, like ``SnapshotMirror/apply(_:)``.
  /// - Complexity: The same as for ``SnapshotMirror/apply(_:)``.
  @discardableResult
  public func apply(
    _ message: SnapshotMessage<Section>
  ) throws(MirrorError) -> SnapshotMirror<Section>.Outcome {
    let before = state.revision
    var (mirror, outcome) = (state, SnapshotMirror<Section>.Outcome.repeated)
    defer { if mirror.revision != before || outcome == .replaced { show(mirror, after: before) } }
    outcome = try mirror.apply(message)
    return outcome
  }

  /// Returns the messages with which a remote observer follows this relay: full snapshots and patches.
  ///
  /// See ``AsyncKnot/StateSource/patches(since:full:history:)``; the revisions are those of the source. The sequence
  /// ends when the relay is released or the task is cancelled.
  ///
  /// - Parameters:
  ///   - revision: The observer's revision, from this relay, another relay or the source; `nil` if the observer has no snapshot.
  ///   - rule: The rule that decides when to send a full snapshot even if a patch is possible.
  /// - Returns: The messages; each iterator is a separate observer.
  public nonisolated func patches(
    since revision: SnapshotRevision? = nil,
    full rule: SnapshotPatches<Section>.FullRule = .whereSmaller
  ) -> SnapshotPatches<Section> {
    SnapshotPatches(.relay(states), hub: hub, since: revision, rule: rule)
  }

  /// Adds the snapshot to the history and then notifies the observers, so that they find the snapshot there.
  private func show(_ mirror: SnapshotMirror<Section>, after before: SnapshotRevision?) {
    if let shown = mirror.shown {
      if before?.isFollowed(by: shown.revision) != true { hub.forget() }
      hub.remember(shown, limit: history)
    }
    knot.exchange(for: mirror, by: ObjectIdentifier(self))
  }
}
