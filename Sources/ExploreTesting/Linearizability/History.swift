/// One operation of a concurrent history, with its response and its times.
///
/// An operation that never returns has no response.
struct HistoryEvent<Model: SequentialModel>: Sendable {
  let operation: Model.Operation
  var response: Model.Response?
  let thread: Int
  /// When the operation began and returned, as values of a counter that all operations of the history share.
  let begin: Int
  var end = Int.max
}

/// Decides whether the operations have an order that respects their times and in which the model gives the recorded responses.
///
/// The search tries each operation that may come next, and backtracks if none fits (Wing and Gong, *Testing and Verifying
/// Concurrent Objects*, 1993). It tries each combination of finished operations and model state only once (Lowe, *Testing for
/// Linearizability*, 2017).
struct LinearizabilityChecker<Model: SequentialModel> {
  private struct Point: Hashable {
    let done: UInt64
    let model: Model
  }

  let events: [HistoryEvent<Model>]
  private var visited: Set<Point> = []

  init(_ events: [HistoryEvent<Model>]) {
    self.events = events
  }

  /// Returns whether `model` can give the recorded responses to the remaining operations, in an order that fits their times.
  mutating func accepts(_ model: Model, done: UInt64 = 0) -> Bool {
    // If none of the remaining operations returned, and the model lets each of them wait, none had an effect.
    let open = events.indices.filter { done & (1 << UInt64($0)) == 0 }
    if open.allSatisfy({ events[$0].response == nil && model.waits(events[$0].operation) }) {
      return true
    }
    guard visited.insert(Point(done: done, model: model)).inserted else { return false }
    // An operation that began after another one returned cannot come before it.
    let earliestEnd = open.map { events[$0].end }.min() ?? 0
    for index in open where events[index].begin < earliestEnd {
      var next = model
      guard let response = events[index].response, !model.waits(events[index].operation),
        next.apply(events[index].operation) == response
      else { continue }
      if accepts(next, done: done | 1 << UInt64(index)) { return true }
    }
    return false
  }
}
