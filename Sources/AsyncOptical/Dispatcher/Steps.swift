internal import AsyncKnot
internal import Synchronization

/// The lock that the steps of a log take, because they apply changes outside the lock of the knot.
///
/// A step that begins after a cancellation was recorded sees the cancellation, and `cancel(id)` waits for the end of a step that
/// began earlier. On the thread that performs a step, `wait()` returns immediately, because a change that the step applies may
/// call `cancel(id)`.
final class Steps: Sendable {
  private let lock = Mutex(())
  /// The thread that performs a step, as ``Reducer/thread`` identifies it; 0 if no thread does.
  private let thread = Atomic<UInt>(0)

  /// Whether the calling thread performs a step.
  var isOwn: Bool { thread.load(ordering: .relaxed) == Reducer.thread }

  /// Performs a step; the closure must not notify observers, because their code may wait for another thread.
  func perform(_ step: () -> Void) {
    if isOwn { return step() }
    lock.withLock { _ in
      thread.store(Reducer.thread, ordering: .relaxed)
      defer { thread.store(0, ordering: .relaxed) }
      step()
    }
  }

  /// Waits until no other thread performs a step that began before this call.
  func wait() { if !isOwn { lock.withLock { _ in } } }
}
