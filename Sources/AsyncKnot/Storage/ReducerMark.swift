public import Synchronization

/// Marks a running reducer, so that an endless wait for its holder's lock is found and reported.
///
/// A reducer runs under the lock of its holder's storage. Taking that lock again would wait for
/// ever (S11), and so would two reducers that each read the other's holder (S18).
///
/// A debug build remembers the task and traps before anything waits. Asking for the task takes
/// longer than the rest of a reduction, so a release build only stores the stack address at which
/// the reducer was called; `ReducerStacks` compares it with the address of a caller that waits long.
@usableFromInline
struct ReducerMark: ~Copyable, Sendable {
  /// A stack address just above what the reducer calls; 0 if no reducer runs.
  @usableFromInline let frame = Atomic<UInt>(0)

  private let stacks = ReducerStacks.shared

  #if DEBUG
    /// The task that runs the reducer; 0 if no reducer runs, or one runs outside of any task.
    private let task = Atomic(0)
  #endif

  @usableFromInline
  init() {}

  /// Whether a reducer runs, on any thread.
  @inlinable var isRunning: Bool { frame.load(ordering: .relaxed) != 0 }

  /// Marks the begin of a reducer; the holder's lock must be held.
  ///
  /// - Returns: What `end` needs.
  @inlinable
  func begin<State: Sendable>(_: State.Type) -> ReducerStacks.Cell {
    #if DEBUG
      noteTask(State.self)
    #endif
    return noteFrame()
  }

  /// Marks the end of the reducer.
  ///
  /// - Parameter cell: What `begin` returned.
  @inlinable
  func end(_ cell: ReducerStacks.Cell) {
    #if DEBUG
      forgetTask()
    #endif
    frame.store(0, ordering: .relaxed)
    cell.clear()
  }

  /// Stores an address on the calling thread's stack, a little above what the reducer calls.
  ///
  /// A local variable of the caller will not do: in an asynchronous function it may be on the heap.
  @usableFromInline @inline(never)
  func noteFrame() -> ReducerStacks.Cell {
    var local: UInt8 = 0
    let address = unsafe withUnsafePointer(to: &local) { UInt(bitPattern: $0) } + 256
    frame.store(address, ordering: .relaxed)
    return stacks.note(address)
  }

  /// The message of the trap for a caller that waits for this reducer and is in a reducer itself.
  ///
  /// - Returns: The message; `nil` if the caller is in no reducer.
  @inline(never)
  func faultIfReducing<State: Sendable>(_: State.Type) -> String? {
    var local: UInt8 = 0
    let address = unsafe withUnsafePointer(to: &local) { UInt(bitPattern: $0) }
    guard stacks.haveReducer(above: address) else { return nil }
    return ReducerStacks.isInside(address, frame.load(ordering: .relaxed))
      ? ReducerRule.reentry("\(State.self)")
      : ReducerRule.apart(reduced: nil, read: "\(State.self)")
  }

  #if DEBUG
    @usableFromInline
    func noteTask<State: Sendable>(_: State.Type) {
      task.store(CurrentTask.id, ordering: .relaxed)
      RunningReducers.begin(State.self, by: CurrentTask.id)
    }

    @usableFromInline
    func forgetTask() {
      RunningReducers.end(by: CurrentTask.id)
      task.store(0, ordering: .relaxed)
    }

    /// Traps if the current task runs a reducer, of this holder or of another one.
    @usableFromInline
    func check<State: Sendable>(_: State.Type) {
      checkReentry(State.self)
      guard let reduced = RunningReducers.type(by: CurrentTask.id) else { return }
      fatalError(ReducerRule.apart(reduced: "\(reduced)", read: "\(State.self)"))
    }

    /// Traps if the current task runs a reducer of this holder.
    func checkReentry<State: Sendable>(_: State.Type) {
      let current = CurrentTask.id
      guard current != 0, task.load(ordering: .relaxed) == current else { return }
      fatalError(ReducerRule.reentry("\(State.self)"))
    }
  #endif
}

extension ReducerStacks {
  /// Whether a reducer called the calling code, directly or not.
  ///
  /// A debug build asks for the task: AddressSanitizer keeps local variables outside of the stack.
  package static var isInReducer: Bool {
    #if DEBUG
      let current = CurrentTask.id
      if current != 0 { return RunningReducers.type(by: current) != nil }
    #endif
    return haveCaller
  }
}

#if DEBUG
  /// The identity of the current task; 0 outside of tasks.
  private enum CurrentTask {
    static var id: Int { unsafe withUnsafeCurrentTask { unsafe $0?.hashValue ?? 0 } }
  }

  /// The reducers that run now, by task; only in a debug build.
  private enum RunningReducers {
    private static let types = Mutex<[Int: any Sendable.Type]>([:])

    static func begin<State: Sendable>(_ type: State.Type, by task: Int) {
      if task != 0 { types.withLock { $0[task] = type } }
    }

    static func end(by task: Int) {
      if task != 0 { types.withLock { $0[task] = nil } }
    }

    static func type(by task: Int) -> (any Sendable.Type)? { types.withLock { $0[task] } }
  }
#endif

/// The messages of the traps for reducers that break S11 or S18.
enum ReducerRule {
  static func reentry(_ state: String) -> String {
    """
    A reducer must not read its holder's state or reduce again: the state that it got as \
    'inout \(state)' is the newest, and the holder is locked until the reducer returns (S11).
    """
  }

  /// - Parameters:
  ///   - reduced: The state of the reducer; `nil` if only a debug build would know it.
  ///   - read: The state that the reducer reads.
  /// - Returns: The message.
  static func apart(reduced: String?, read: String) -> String {
    let reducer = reduced.map { "A reducer of '\($0)'" } ?? "A reducer"
    return """
      \(reducer) reads the state of a holder of '\(read)'. A reducer must not read any holder's \
      state, because two that read each other's would wait for ever: read it before the reduction, \
      or with withState(from:) (S18).
      """
  }
}
