internal import Synchronization

/// Tasks that wait until a count is reached: of elements, or of tasks that sleep.
///
/// It is a part of a state behind a lock; what it returns is resumed after that lock is released.
struct WaitList {
  typealias Continuation = CheckedContinuation<Void, Never>

  private var waiters: [(id: Int, count: Int, continuation: Continuation)] = []
  private var lastID = 0

  mutating func makeID() -> Int {
    lastID += 1
    return lastID
  }

  mutating func add(_ id: Int, until count: Int, _ continuation: Continuation) {
    waiters.append((id, count, continuation))
  }

  /// Takes out a waiter whose task was cancelled.
  mutating func remove(_ id: Int) -> Continuation? {
    waiters.firstIndex { $0.id == id }.map { waiters.remove(at: $0).continuation }
  }

  /// Takes out the waiters whose count is reached.
  mutating func take(reached count: Int) -> [Continuation] {
    guard waiters.contains(where: { $0.count <= count }) else { return [] }
    let due = waiters.filter { $0.count <= count }.map(\.continuation)
    waiters.removeAll { $0.count <= count }
    return due
  }
}

/// A state with tasks that wait for a count in it.
protocol Countable {
  var waits: WaitList { get set }
  /// The count; the greatest number where nobody needs to wait any more.
  var reached: Int { get }
}

extension Mutex where Value: Countable {
  /// Suspends until a count is reached, or the task is cancelled.
  func wait(until count: Int) async where Value: Sendable {
    let id = withLock { $0.waits.makeID() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDue = withLock { state in
          let isDue = Task.isCancelled || state.reached >= count
          if !isDue { state.waits.add(id, until: count, continuation) }
          return isDue
        }
        if isDue { continuation.resume() }
      }
    } onCancel: {
      withLock { $0.waits.remove(id) }?.resume()
    }
  }
}
