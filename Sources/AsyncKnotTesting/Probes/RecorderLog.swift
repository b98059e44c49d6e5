internal import Synchronization

/// The elements of a recorder, and the tasks that wait for more.
final class RecorderLog<Element: Sendable>: Sendable {
  private struct Waiter {
    let id: Int
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var elements: [Element] = []
    var end: Recorder<Element>.End?
    var waiters: [Waiter] = []
    var lastID = 0

    mutating func takeDue() -> [Waiter] {
      let due = waiters.filter { end != nil || $0.count <= elements.count }
      if !due.isEmpty { waiters.removeAll { end != nil || $0.count <= elements.count } }
      return due
    }
  }

  private let name: String
  private let state = Mutex(State())

  init(name: String) { self.name = name }

  var elements: [Element] { state.withLock { $0.elements } }
  var ending: Recorder<Element>.End? { state.withLock { $0.end } }

  func append(_ element: Element) {
    let due = state.withLock { state in
      state.elements.append(element)
      return state.takeDue()
    }
    for waiter in due { waiter.continuation.resume() }
  }

  func end(_ end: Recorder<Element>.End) {
    let due = state.withLock { state in
      state.end = end
      return state.takeDue()
    }
    for waiter in due { waiter.continuation.resume() }
  }

  /// Suspends until `count` elements have come, the sequence has ended or the task is cancelled.
  ///
  /// - Returns: Whether the elements have come.
  func reached(_ count: Int, _ what: String) async -> Bool {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    await awaited({ [self] in "\(status), awaited: \(what)" }) {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isDue = state.withLock { state in
            if Task.isCancelled || state.end != nil || state.elements.count >= count { return true }
            state.waiters.append(Waiter(id: id, count: count, continuation: continuation))
            return false
          }
          if isDue { continuation.resume() }
        }
      } onCancel: {
        let waiter = state.withLock { state in
          state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume()
      }
    }
    return state.withLock { $0.elements.count >= count }
  }

  /// The last elements, in a line of bounded length.
  var status: String {
    let (elements, end) = state.withLock { ($0.elements, $0.end) }
    let last = elements.suffix(5).map { shortened("\($0)") }.joined(separator: ", ")
    let ending =
      switch end {
      case nil: ""
      case .finished: ", then the end"
      case .failed(let error): ", then \(shortened("\(error)"))"
      }
    return "\(name) has \(elements.count): [\(elements.count > 5 ? "… " : "")\(last)]\(ending)"
  }
}
