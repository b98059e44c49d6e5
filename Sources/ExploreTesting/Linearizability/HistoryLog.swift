internal import Synchronization

/// Records the operations that the tasks of a concurrent program perform.
final class HistoryLog<Model: SequentialModel>: Sendable {
  private struct State: Sendable {
    var time = 0
    var events: [HistoryEvent<Model>] = []
  }

  private let state = Mutex(State())

  var events: [HistoryEvent<Model>] { state.withLock { $0.events } }

  /// Starts a new history.
  func removeAll() { state.withLock { $0 = State() } }

  /// Performs an operation, and records when it began and when it returned.
  func perform(
    _ operation: Model.Operation, thread: Int, _ body: (Model.Operation) async -> Model.Response
  ) async {
    let index = state.withLock { state in
      state.time += 1
      state.events.append(HistoryEvent(operation: operation, thread: thread, begin: state.time))
      return state.events.count - 1
    }
    let response = await body(operation)
    state.withLock { state in
      state.time += 1
      state.events[index].response = response
      state.events[index].end = state.time
    }
  }
}
