/// The rule that chooses the next job of a run.
///
/// ```swift
/// await explore(seeds: 1_000, strategy: .pct) {
///   let account = Account()
///   async let first: Void = account.deposit(1)
///   async let second: Void = account.deposit(1)
///   _ = await (first, second)
///   #expect(await account.balance == 2)
/// }
/// ```
/// A job is the part of a task between two suspensions. Everything that a strategy draws depends only on the seed.
public enum ExplorationStrategy: Hashable, Sendable {
  /// Chooses among the ready jobs with equal probability.
  ///
  /// This strategy finds bugs that appear in many schedules. It hardly ever finds a bug that needs one task to wait for a long
  /// time.
  case uniform

  /// Probabilistic concurrency testing: gives tasks random priorities, and lowers one now and then.
  ///
  /// The ready job with the highest priority runs, so one task may run far ahead of another; such schedules are rare with
  /// ``uniform``. The seed decides how often the task that would run next gets the lowest priority instead: at one
  /// decision in 4, in 8, and so on to 128. So you do not need to know the length of the scenario or the depth of its bug.
  ///
  /// See Burckhardt, Kothari, Musuvathi and Nagarakatti, *A Randomized Scheduler with Probabilistic Guarantees of Finding
  /// Bugs*, 2010.
  case pct

  /// Alternates between ``uniform`` and ``pct``, by seed.
  ///
  /// With a quarter of the seeds, a deadline that is at most a millisecond away may arrive even though tasks are ready. With
  /// another quarter, code may be interrupted when it creates or resumes a task, unlocks a lock other than a `Mutex`, checks for
  /// cancellation and finds none, or creates a continuation; see <doc:WhatExploreControls>. This is the default, because each
  /// strategy misses bugs that the other one finds.
  case mixed
}
