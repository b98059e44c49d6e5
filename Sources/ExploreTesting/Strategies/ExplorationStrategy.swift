/// The rule by which an exploration chooses the job that runs next.
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
/// A job is what a task does from one suspension to the next. What a strategy draws depends on the seed alone.
public enum ExplorationStrategy: Hashable, Sendable {
  /// Chooses among the ready jobs, each time, with equal probability.
  ///
  /// It finds bugs that show in many orders, and hardly ever one that needs a task to wait for long.
  case uniform

  /// Probabilistic concurrency testing: gives tasks random priorities, and lowers one now and then.
  ///
  /// The ready job of the highest priority runs, so one task may run far ahead of another; such orders are
  /// rare under ``uniform``. How often the running task falls behind all others is drawn from the seed: before one
  /// decision in 4, in 8 and so on to 128, so that neither the length of the scenario nor the depth of its bug
  /// has to be known.
  ///
  /// After Burckhardt, Kothari, Musuvathi and Nagarakatti, *A Randomized Scheduler with Probabilistic
  /// Guarantees of Finding Bugs*, 2010.
  case pct

  /// Takes ``uniform`` and ``pct`` in turn, by seed.
  ///
  /// With a quarter of the seeds a deadline that is at most a millisecond away may come although tasks are ready. With another
  /// quarter the code that creates or resumes a task, unlocks a lock, or is about to wait, may be interrupted there, see
  /// <doc:WhatExploreControls>.
  /// This is the default, because each strategy misses bugs that another one finds.
  case mixed
}
