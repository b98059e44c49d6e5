/// The thread that a loop over runs is on, and gives to other tests from time to time.
///
/// A run may take a microsecond, and to give the thread away takes as long; so it is given away after
/// every hundredth job.
struct ThreadLoan {
  private var jobs = 0

  /// Lets other tests have the thread where the runs have had it long enough.
  mutating func settle(after run: RunAccount) async {
    jobs += run.jobs + 10
    guard jobs >= 100 else { return }
    jobs = 0
    await Task.yield()
  }
}
