public import Synchronization

/// Which task runs a reducer of a holder now, so that a wait without end is found instead of hung in.
///
/// A reducer runs under the lock of its holder's storage. Taking that lock again would never end (S11);
/// neither would two reducers that each read the other's holder (S18).
@usableFromInline
struct ReducerMark: ~Copyable, Sendable {
  /// The task that runs a reducer; 0 when none does, or when it runs outside of any task.
  @usableFromInline let task = Atomic(0)

  @usableFromInline
  init() {}

  /// Notes that a reducer of this holder begins; to be called with the lock held.
  @inlinable
  func begin<State: Sendable>(by task: Int, _: State.Type) {
    self.task.store(task, ordering: .relaxed)
    #if DEBUG
      RunningReducers.begin(State.self, by: task)
    #endif
  }

  /// Notes that the reducer has returned.
  @inlinable
  func end() {
    #if DEBUG
      RunningReducers.end(by: task.load(ordering: .relaxed))
    #endif
    task.store(0, ordering: .relaxed)
  }
}

/// Identifies the running task among all that run; 0 outside of tasks.
@usableFromInline
enum CurrentTask {
  @inlinable static var id: Int {
    unsafe withUnsafeCurrentTask { task in
      guard let task = unsafe task else { return 0 }
      // An `UnsafeCurrentTask` is one reference to the task object, and no other running task has the
      // same object. Its `hashValue` says the same, at the cost of a hash.
      return unsafe unsafeBitCast(task, to: Int.self)
    }
  }
}

#if DEBUG
  /// The reducers that run now, in a debug build.
  @usableFromInline
  enum RunningReducers {
    private static let types = Mutex<[Int: any Sendable.Type]>([:])

    @usableFromInline
    static func begin<State: Sendable>(_ type: State.Type, by task: Int) {
      if task != 0 { types.withLock { $0[task] = type } }
    }

    @usableFromInline
    static func end(by task: Int) {
      if task != 0 { types.withLock { $0[task] = nil } }
    }

    /// Traps when the current task is in a reducer of another holder.
    @usableFromInline
    static func checkNone<State>(whileReading _: State.Type) {
      let task = CurrentTask.id
      guard task != 0, let reduced = types.withLock({ $0[task] }) else { return }
      fatalError(ReducerRule.apart(reduced: "\(reduced)", read: "\(State.self)"))
    }
  }
#endif

/// What is said when a reducer does what it must not.
enum ReducerRule {
  static func reentry(_ state: String) -> String {
    """
    A reducer must not read its holder's state or reduce again: the state that it got as \
    'inout \(state)' is the newest, and the holder is locked until the reducer returns (S11).
    """
  }

  static func apart(reduced: String, read: String) -> String {
    """
    A reducer of '\(reduced)' reads the state of a holder of '\(read)'. A reducer must not read any \
    holder's state, because two that read each other's would wait for ever: read it before the \
    reduction, or with withState(from:) (S18).
    """
  }
}
