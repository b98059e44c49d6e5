import AsyncDiff
import AsyncDiffTesting
import AsyncKnotTesting
import Testing

// The samples of the kit's documentation comments that need a list: compiled, and not run.

private func showing(
  _ morning: DiffableSnapshot<Page>, _ evening: DiffableSnapshot<Page>
) async throws {
  typealias HomeSection = Page
  let surface = StrictSurface<HomeSection>()
  let source = DiffableDataSource(surface: surface)
  try await source.apply(morning)
  try await source.apply(evening)
  #expect(await surface.rows?.matches(evening) == true)
}

private func replaying(_ old: Days, _ new: Days) throws {
  var rows = StrictRows(old)
  for batch in old.batches(to: new) { try rows.perform(batch) }
  #expect(rows.matches(new))
}

private func refusing(_ old: Days, _ batch: BatchUpdates<Day>) {
  var rows = StrictRows(old)
  do { try rows.perform(batch) } catch { print(error) }
  // itemDeletes: [0, 7] is out of bounds; section 0 had 5 items
}
