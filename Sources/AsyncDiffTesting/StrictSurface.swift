public import AsyncDiff
internal import ExploreTesting
public import Testing

/// A surface without a view, which checks that a view could carry out a data source's batches.
///
/// ```swift
/// let surface = StrictSurface<HomeSection>()
/// let source = DiffableDataSource(surface: surface)
/// try await source.apply(morning)
/// try await source.apply(evening)
/// #expect(await surface.rows?.matches(evening) == true)
/// ```
/// A strict surface keeps its own rows, carries out each batch by the rules of a collection view, and records an issue if a call
/// breaks a rule: paths out of bounds, counts that do not add up, rows at wrong positions, changes without an update, and calls
/// that overlap. After a violation, the surface shows the batch's snapshot.
public actor StrictSurface<Section: SectionInflator>: CollectionSurface {
  /// A call by the data source.
  public enum Call: Sendable {
    /// A reload of a whole snapshot.
    case reload(DiffableSnapshot<Section>)
    /// One stage of a change.
    case batch(BatchUpdates<Section>, animated: Bool)
  }

  /// The rows that the surface shows; `nil` before the first reload.
  public private(set) var rows: StrictRows<Section>?
  /// All calls so far, in order.
  public private(set) var calls: [Call] = []
  /// All violations so far, in order.
  public private(set) var violations: [BatchViolation] = []

  private let recordsIssues: Bool
  private let sourceLocation: SourceLocation
  private let during: @Sendable (Call) async -> Void
  private var isBusy = false

  /// Creates a surface.
  ///
  /// - Parameters:
  ///   - recordsIssues: Whether a violation fails the test. ``violations`` contains every violation in either case.
  ///   - sourceLocation: The source location of recorded issues.
  ///   - during: A nonisolated closure that is awaited before each call returns. Use it to make the surface slow.
  public init(
    recordsIssues: Bool = true, sourceLocation: SourceLocation = #_sourceLocation,
    during: @escaping @Sendable (Call) async -> Void = { _ in }
  ) {
    self.recordsIssues = recordsIssues
    self.sourceLocation = sourceLocation
    self.during = during
  }

  /// Loads the rows of a snapshot.
  public func reloadData(_ snapshot: DiffableSnapshot<Section>) async {
    await carryOut(.reload(snapshot)) { $0 = StrictRows(snapshot) }
  }

  /// Carries out a stage; if the stage breaks a rule, adds the first violation to ``violations``.
  public func performBatchUpdates(_ batch: BatchUpdates<Section>, animated: Bool) async {
    await carryOut(.batch(batch, animated: animated)) { rows throws(BatchViolation) in
      guard var changed = rows else {
        throw BatchViolation(.notLoaded, "performBatchUpdates: called before the first reloadData")
      }
      rows = StrictRows(batch.snapshot)
      try changed.perform(batch)
      rows = changed
    }
  }

  private func carryOut(
    _ call: Call, _ change: (inout StrictRows<Section>?) throws(BatchViolation) -> Void
  ) async {
    if isBusy {
      report(BatchViolation(.overlap, "a call began before the previous call returned"))
    }
    isBusy = true
    calls.append(call)
    do { try change(&rows) } catch { report(error) }
    await during(call)
    isBusy = false
  }

  private func report(_ violation: BatchViolation) {
    violations.append(violation)
    guard recordsIssues else { return }
    Verdict.record("StrictSurface: \(violation)", sourceLocation: sourceLocation)
  }
}
