/// Counts the jobs of a loop over runs, and yields after every hundredth one, so that other tests get the
/// thread.
///
/// A run may take a microsecond, and a yield takes as long.
struct ThreadLoan {
  private var jobs = 0

  /// Yields if the runs have had a hundred jobs since the last time.
  mutating func settle(after run: ExplorationAccount) async {
    jobs += run.jobs + 10
    guard jobs >= 100 else { return }
    jobs = 0
    await Task.yield()
  }
}
