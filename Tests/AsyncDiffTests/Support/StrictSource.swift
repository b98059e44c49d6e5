/// A strict surface, and a data source that shows snapshots on it.
func strictSource<Section: SectionInflator>(
  of section: Section.Type, reloadThreshold: Int = 10_000,
  during: @escaping @Sendable (StrictSurface<Section>.Call) async -> Void = { _ in }
) -> (StrictSurface<Section>, DiffableDataSource<Section>) {
  let surface = StrictSurface<Section>(during: during)
  return (surface, DiffableDataSource(surface: surface, reloadThreshold: reloadThreshold))
}

/// A strict surface of days, and a data source that shows snapshots on it.
func strictSource(
  reloadThreshold: Int = 10_000,
  during: @escaping @Sendable (StrictSurface<Day>.Call) async -> Void = { _ in }
) -> (StrictSurface<Day>, DiffableDataSource<Day>) {
  strictSource(of: Day.self, reloadThreshold: reloadThreshold, during: during)
}

/// A strict surface that shows some days, and its data source.
func strictSource(
  showing days: Days
) async throws -> (StrictSurface<Day>, DiffableDataSource<Day>) {
  let (surface, source) = strictSource()
  try await source.apply(days)
  return (surface, source)
}

extension StrictSurface {
  /// The batch of the last call; `nil` if the call was a reload.
  var lastBatch: BatchUpdates<Section>? {
    guard case .batch(let batch, _)? = calls.last else { return nil }
    return batch
  }
}
