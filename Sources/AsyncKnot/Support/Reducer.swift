public import AsyncKnotThread

/// The reducer that is running on the calling thread, if any (S11).
///
/// A reducer runs under the lock of its knot, and a thread that is running a reducer never takes another knot's lock, so threads
/// cannot deadlock. Ending a subscription takes a knot's lock, so a subscription that a reducer drops ends only after the reducer
/// has returned.
@usableFromInline
package enum Reducer {
  /// Whether a reducer is running on the calling thread.
  @inlinable package static var isRunning: Bool {
    unsafe asyncKnotCurrentReducer().pointee.state != nil
  }

  /// A number that identifies the calling thread.
  package static var thread: UInt { unsafe UInt(bitPattern: asyncKnotCurrentReducer()) }

  /// Marks the beginning of a reducer.
  ///
  /// The caller holds the lock that protects the reducer's state.
  @inlinable
  static func begin(_ state: Any.Type) {
    unsafe asyncKnotCurrentReducer().pointee.state = unsafeBitCast(
      state, to: UnsafeRawPointer.self)
  }

  @inlinable static func end() { unsafe asyncKnotCurrentReducer().pointee.state = nil }

  /// Runs `body` as a reducer.
  ///
  /// The caller calls `carryOutEndings()` afterward.
  static func marking<Result>(_ state: Any.Type, _ body: () -> Result) -> Result {
    begin(state)
    defer { end() }
    return body()
  }

  /// Runs a reducer on a state that no knot's lock protects.
  ///
  /// This reducer must not use a holder either (S11). After the caller has released its own locks, it calls `carryOutEndings()`.
  package static func run<State, Result>(_ state: State.Type, _ body: () -> Result) -> Result {
    if isRunning { refuse(State.self) }
    return marking(state, body)
  }

  /// Calls the closures that were deferred until after the reducer.
  ///
  /// The caller has already released the lock that protects the reducer's state.
  @inlinable
  package static func carryOutEndings() {
    if unsafe asyncKnotCurrentReducer().pointee.endings != nil { callEndings() }
  }

  /// Calls `body` immediately or, if a reducer is running on this thread, after that reducer.
  package static func afterwards(_ body: @escaping @Sendable () -> Void) {
    if isRunning { postpone(body) } else { body() }
  }

  /// Releases values in the next call of `carryOutEndings()`, because a deinit may write the state that has just been written.
  @usableFromInline
  static func release<Value: Sendable>(_ values: [Value]) {
    postpone { withExtendedLifetime(values) {} }
  }

  private static func postpone(_ body: @escaping @Sendable () -> Void) {
    let reducer = unsafe asyncKnotCurrentReducer()
    let endings: Endings
    if let pointer = unsafe reducer.pointee.endings {
      endings = unsafe Unmanaged<Endings>.fromOpaque(pointer).takeUnretainedValue()
    } else {
      endings = Endings()
      unsafe reducer.pointee.endings = Unmanaged.passRetained(endings).toOpaque()
    }
    endings.bodies.append(body)
  }

  @usableFromInline @inline(never)
  static func callEndings() {
    let reducer = unsafe asyncKnotCurrentReducer()
    guard let pointer = unsafe reducer.pointee.endings else { return }
    unsafe reducer.pointee.endings = nil
    for body in unsafe Unmanaged<Endings>.fromOpaque(pointer).takeRetainedValue().bodies { body() }
  }

  /// Traps with a message, because a reducer has used a holder.
  @usableFromInline @inline(never)
  static func refuse<State>(_ used: State.Type) -> Never {
    let reduced = unsafe asyncKnotCurrentReducer().pointee.state.map {
      name(unsafe unsafeBitCast($0, to: Any.Type.self))
    }
    fatalError(
      """
      A reducer of '\(reduced ?? "?")' reads or writes a holder of '\(name(used))'. A reducer is code that \
      changes or computes a state: the closure of a 'commit', 'reduce', 'accept', 'pipe' or 'Derived', \
      or a method such as 'mutate' or 'recover'. It may use only its 'inout' state, not the holder's \
      'state': the holder is locked until the reducer returns, and another holder's reducer may be \
      waiting for that lock. Read other states before the call, or with withState(from:) (S11). \
      A 'Derived' gets other states from its sources: pass the holder as a source (S23). The article \
      Words explains holder and reducer.
      """)
  }

  /// Returns the name of a type, including the types that contain it, because most states are called `State`.
  private static func name(_ type: Any.Type) -> String {
    let parts = String(reflecting: type).split(separator: ".")
    return parts.dropFirst().filter { !$0.hasPrefix("(") }.joined(separator: ".")
  }

  private final class Endings {
    var bodies: [@Sendable () -> Void] = []
  }
}
