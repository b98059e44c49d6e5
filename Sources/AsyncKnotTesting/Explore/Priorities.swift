/// The priorities of probabilistic concurrency testing, by chain of jobs.
///
/// A chain stands for what one thread is in the paper: a job and the last job that it causes, and so
/// on. What a task does before and after a hop is one chain.
struct Priorities {
  private var generator: SeededGenerator
  private var byChain: [UInt64] = []
  /// The lowest priority so far; a chain that falls behind all others gets one below.
  private var lowest: UInt64 = 1 << 63

  /// The numbers of the decisions before which the running chain falls behind all others.
  private var changePoints: [Int]

  init(depth: Int, length: Int, generator: SeededGenerator) {
    precondition(depth >= 1, "pct(depth:): needs a depth of at least 1; got \(depth)")
    var generator = generator
    changePoints = length < 1 ? [] : (1..<depth).map { _ in generator.index(below: length) }
    changePoints.sort(by: >)
    self.generator = generator
  }

  /// Starts a chain, with a priority above every lowered one.
  mutating func newChain() -> Int {
    byChain.append(generator.next() | (1 << 63))
    return byChain.count - 1
  }

  /// Lowers a chain where a change point is due at this decision.
  ///
  /// - Returns: Whether a chain was lowered, so that the choice has to be made again.
  mutating func lower(_ chain: Int, at decision: Int) -> Bool {
    guard let next = changePoints.last, next <= decision else { return false }
    changePoints.removeLast()
    lower(chain)
    return true
  }

  /// Puts a chain behind all others.
  mutating func lower(_ chain: Int) {
    lowest -= 1
    byChain[chain] = lowest
  }

  func isHigher(_ chain: Int, than other: Int) -> Bool { byChain[chain] > byChain[other] }
}
