/// One operation of a concurrent history, with its answer and its times; one that never returns has no answer.
struct HistoryEvent<Model: SequentialModel>: Sendable {
  let operation: Model.Operation
  var response: Model.Response?
  let thread: Int
  /// The times at which it began and had returned: numbers of one counter for the whole history.
  let begin: Int
  var end = Int.max
}

/// Decides whether the model gives the same answers in some order of the operations that keeps their times.
///
/// It tries the operations that may come next, one after another, and goes back where none fits (Wing and
/// Gong, *Testing and Verifying Concurrent Objects*, 1993). A set of operations that led to a state of the
/// model is tried once (Lowe, *Testing for Linearizability*, 2017).
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

  /// Whether a model in this state gives the same answers to the operations that are not done yet.
  mutating func accepts(_ model: Model, done: UInt64 = 0) -> Bool {
    // What has not returned has no effect, and rightly waits.
    let open = events.indices.filter { done & (1 << UInt64($0)) == 0 }
    if open.allSatisfy({ events[$0].response == nil && model.waits(events[$0].operation) }) {
      return true
    }
    guard visited.insert(Point(done: done, model: model)).inserted else { return false }
    // An operation that began after another one had returned cannot come before it.
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
