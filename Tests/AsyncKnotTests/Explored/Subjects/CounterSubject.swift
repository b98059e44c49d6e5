/// The state of every counter.
struct Count: KnotState, Equatable {
  var value = 0
  static func defaultState() -> Count { Count() }
}

/// A state holder as the contracts see it: the real ones, and those broken on purpose.
protocol CounterSubject: AnyObject, Sendable {
  associatedtype Counts: AsyncSequence & Sendable
  where Counts.Element == Count, Counts.Failure == Never

  /// One reduction.
  func add(_ amount: Int) async

  /// What observers iterate.
  nonisolated var counts: Counts { get }

  /// The newest state.
  nonisolated var current: Int { get }

  /// How many observers are registered.
  nonisolated var observers: Int { get }
}

/// The real holder.
actor KnotCounter: Knotable, CounterSubject {
  typealias State = Count
  let knot = Knot<Count>()

  func update(_ state: Count) {}
  func add(_ amount: Int) { reduce { $0.value += amount } }
  nonisolated var counts: StateSequence<Count> { states }
  nonisolated var current: Int { state.value }
  nonisolated var observers: Int { knot.observerCount }
}
