/// The ready jobs of one run, and which of them runs next: a function of the seed and of nothing else.
struct Schedule {
  /// A job that may run now.
  private struct Ready {
    let job: UnownedJob
    /// The chain it belongs to; −1 until the job that caused it is over.
    var chain: Int
  }

  /// How long a chain may keep others waiting before it counts as spinning.
  private static let patience = 200

  private var ready: [Ready] = []
  private var generator: SeededGenerator
  private var priorities: Priorities?
  /// The chain of the job that runs now, or ran last.
  private(set) var currentChain = -1
  /// How many jobs of one chain ran in a row while others were ready.
  private var streak = 0
  private(set) var trace = ExplorationTrace()

  init(seed: UInt64, strategy: ExplorationStrategy, length: Int) {
    generator = SeededGenerator(seed: seed)
    switch strategy {
    case .uniform: break
    case .pct(let depth, let jobs):
      priorities = Priorities(depth: depth, length: jobs ?? length, generator: generator)
    }
  }

  var isEmpty: Bool { ready.isEmpty }

  mutating func add(_ job: UnownedJob) { ready.append(Ready(job: job, chain: -1)) }

  /// Drops what is ready; a job that is dropped never runs.
  mutating func removeAll() { ready = [] }

  /// Takes the job that runs next.
  mutating func next() -> UnownedJob? {
    guard !ready.isEmpty else { return nil }
    guard priorities != nil else { return take(generator.index(below: ready.count)) }
    assignChains(lastInherits: true)
    var choice = highest()
    while priorities?.lower(ready[choice].chain, at: trace.decisions) == true {
      choice = highest()
    }
    trace.decisions += 1
    streak = ready.count > 1 && ready[choice].chain == currentChain ? streak + 1 : 0
    if streak == Self.patience {
      // It may be spinning until another one has run.
      priorities?.lower(currentChain)
      streak = 0
      choice = highest()
    }
    return take(choice)
  }

  /// Takes a job that runs in the middle of the current one, or `nil` where the current one goes on.
  mutating func nextPreempting() -> UnownedJob? {
    guard !ready.isEmpty else { return nil }
    guard priorities != nil, currentChain >= 0 else {
      let choice = generator.index(below: ready.count + 1)
      return choice == ready.count ? nil : take(choice)
    }
    assignChains(lastInherits: false)
    _ = priorities?.lower(currentChain, at: trace.decisions)
    trace.decisions += 1
    let choice = highest()
    return priorities?.isHigher(ready[choice].chain, than: currentChain) == true
      ? take(choice) : nil
  }

  /// Goes on with the job that a preempting one has interrupted.
  mutating func resume(chain: Int) {
    if priorities != nil { assignChains(lastInherits: true) }
    currentChain = chain
  }

  private mutating func take(_ index: Int) -> UnownedJob {
    trace.append(choice: index, of: ready.count)
    currentChain = ready[index].chain
    let job = ready[index].job
    ready.swapAt(index, ready.count - 1)
    ready.removeLast()
    return job
  }

  /// Gives the jobs that the last one caused their chains.
  ///
  /// A task that hops enqueues itself as the last thing its job does, so the last one caused goes on
  /// with the chain.
  private mutating func assignChains(lastInherits: Bool) {
    var inherited = lastInherits && currentChain >= 0
    for index in ready.indices.reversed() where ready[index].chain < 0 {
      ready[index].chain = inherited ? currentChain : priorities?.newChain() ?? 0
      inherited = false
    }
  }

  private func highest() -> Int {
    var best = 0
    for index in ready.indices.dropFirst()
    where priorities?.isHigher(ready[index].chain, than: ready[best].chain) == true {
      best = index
    }
    return best
  }
}
