internal import Synchronization

/// A member of a task bag; it exists before its task does, because the bag may be cancelled while
/// the task is being created.
final class BagMember: Sendable {
  struct Work: Sendable {
    let cancel: @Sendable () -> Void
    let wait: @Sendable () async -> Void
  }

  private struct State {
    var work: Work?
    var isCancelled = false
  }

  private let state = Mutex(State())
  private let cancelledEarly: @Sendable () -> Void

  /// Creates a member; `cancelledEarly` is called if it is cancelled before it has its task.
  init(cancelledEarly: @escaping @Sendable () -> Void = {}) {
    self.cancelledEarly = cancelledEarly
  }

  /// Stores the task; cancels it if the member was cancelled meanwhile.
  func start(_ work: Work) {
    let isCancelled = state.withLock { state in
      state.work = work
      return state.isCancelled
    }
    if isCancelled { work.cancel() }
  }

  /// Cancels the task, now or as soon as there is one.
  func cancel() {
    let work = state.withLock { state in
      state.isCancelled = true
      return state.work
    }
    if let work { work.cancel() } else { cancelledEarly() }
  }

  /// Waits until the task has ended, also one that is being created.
  func wait() async {
    while true {
      if let work = state.withLock({ $0.work }) { return await work.wait() }
      await Task.yield()
    }
  }
}
