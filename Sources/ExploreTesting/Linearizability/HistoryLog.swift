internal import Synchronization

/// Collects the operations of the tasks of a concurrent program.
final class HistoryLog<Model: SequentialModel>: Sendable {
  private struct State: Sendable {
    var time = 0
    var events: [HistoryEvent<Model>] = []
  }

  private let state = Mutex(State())

  var events: [HistoryEvent<Model>] { state.withLock { $0.events } }

  /// Begins a history.
  func removeAll() { state.withLock { $0 = State() } }

  /// Carries out an operation, and writes down when it began and when it had returned.
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
