public import AsyncKnot

/// Follows a source, and is followed in turn, with the revisions of the source.
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
/// A relay takes messages in as a ``SnapshotMirror`` does, which is its state. An observer of
/// ``patches(since:full:)`` gets what the source itself would give: it may change from one relay to another,
/// or between a relay and the source, and goes on by one patch where the relay has had what the observer has.
/// An observer that is ahead of the relay waits until the relay is there, so it never goes back. A new epoch
/// of the source is a new epoch of the relay.
///
/// It is also the origin for a store that keeps its own revisions: begin with
/// ``SnapshotMirror/init(_:at:)``, and give it each ``SnapshotMirror/patch(to:)`` that was stored.
public actor SnapshotRelay<Section: SectionInflator>: StateSource {
  /// The knot with what was taken in last.
  public nonisolated let knot: Knot<SnapshotMirror<Section>>

  private let hub: PatchHub<Section>
  private let history: Int

  /// Creates a relay.
  ///
  /// Traps if `history` is negative.
  ///
  /// - Parameters:
  ///   - mirror: What the relay has already.
  ///   - history: How many of the snapshots that it takes in are kept for observers that come from elsewhere.
  ///     They share their storage as far as they have sections in common.
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
      history >= 0, "SnapshotRelay(_:history:): needs a history of 0 or more; got \(history)")
    knot = Knot(mirror)
    hub = PatchHub(compare: compare)
    self.history = history
    if let shown = mirror.shown { hub.remember(shown, limit: history) }
  }

  /// What the source has shown; empty before the first message.
  public nonisolated var snapshot: DiffableSnapshot<Section> { state.snapshot }

  /// Which one it is: what to ask the source for patches since.
  public nonisolated var revision: SnapshotRevision? { state.revision }

  /// Takes a message in, and lets the observers have what it changed.
  ///
  /// - Parameter message: What came.
  /// - Returns: What it changed.
  /// - Throws: ``MirrorError``, as ``SnapshotMirror/apply(_:)`` does.
  /// - Complexity: As that of ``SnapshotMirror/apply(_:)``.
  @discardableResult
  public func apply(
    _ message: SnapshotMessage<Section>
  ) throws(MirrorError) -> SnapshotMirror<Section>.Outcome {
    let before = state.revision
    var mirror = state
    defer { if mirror.revision != before { show(mirror, after: before) } }
    return try mirror.apply(message)
  }

  /// What the source has shown, to be followed from elsewhere: a full snapshot or one patch at a time.
  ///
  /// See ``AsyncKnot/StateSource/patches(since:full:history:)``; the revisions are those of the source. The
  /// sequence ends with the relay, or when the task is cancelled.
  ///
  /// - Parameters:
  ///   - revision: What the observer has already, from this relay or elsewhere; nil for nothing.
  ///   - rule: When a full snapshot is given although a patch is possible.
  /// - Returns: The messages; each iterator is an observer of its own.
  public nonisolated func patches(
    since revision: SnapshotRevision? = nil,
    full rule: SnapshotPatches<Section>.FullRule = .whereSmaller
  ) -> SnapshotPatches<Section> {
    SnapshotPatches(.relay(states), hub: hub, since: revision, rule: rule)
  }

  /// Notes what is shown before the observers hear of it, so that they find it in the history.
  private func show(_ mirror: SnapshotMirror<Section>, after before: SnapshotRevision?) {
    if let shown = mirror.shown {
      if before?.isFollowed(by: shown.revision) != true { hub.forget() }
      hub.remember(shown, limit: history)
    }
    knot.exchange(for: mirror, by: ObjectIdentifier(self))
  }
}
