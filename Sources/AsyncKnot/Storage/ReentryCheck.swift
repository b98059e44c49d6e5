import Synchronization

/// Says what is wrong where a reducer reads its own holder's state, or reduces again.
///
/// The reducer runs under the storage's lock, so taking that again would never end. `Mutex` traps then; a
/// debug build traps before, with a message that names the rule. Release builds print no such messages,
/// and so keep no account.
@usableFromInline
struct ReentryCheck: ~Copyable, Sendable {
  #if DEBUG
    /// The task that runs a reducer now; 0 when none does, or when it runs outside of any task.
    private let reducingTask = Atomic(0)

    @usableFromInline
    init() {}

    @usableFromInline
    func begin() { reducingTask.store(Self.currentTask, ordering: .relaxed) }

    @usableFromInline
    func end() { reducingTask.store(0, ordering: .relaxed) }

    /// Traps when this task is the one that runs the reducer; to be called where the lock is taken.
    @usableFromInline
    func check<State>(_: State.Type) {
      let reducing = reducingTask.load(ordering: .relaxed)
      precondition(
        reducing == 0 || reducing != Self.currentTask,
        """
        A reducer must not read its holder's state or reduce again: the state that it got as \
        'inout \(State.self)' is the newest, and the holder is locked until the reducer returns (S11).
        """)
    }

    /// Tells the running task from all other running ones; 0 outside of tasks.
    private static var currentTask: Int {
      unsafe withUnsafeCurrentTask { unsafe $0?.hashValue ?? 0 }
    }
  #else
    @inlinable
    init() {}

    @inlinable
    func begin() {}

    @inlinable
    func end() {}
  #endif
}
