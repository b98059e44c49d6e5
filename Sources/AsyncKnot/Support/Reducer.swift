public import AsyncKnotThread

/// The reducer that the calling thread runs, if it runs one (S11).
///
/// A reducer runs under the lock of its knot, and its thread takes no other knot's lock: so threads
/// never wait for one another in a circle. What a reducer ends, such as a subscription that it drops,
/// takes such a lock, so it is carried out after the reducer.
@usableFromInline
package enum Reducer {
  /// Whether a reducer called the calling code, directly or not.
  @inlinable package static var isRunning: Bool {
    unsafe asyncKnotCurrentReducer().pointee.state != nil
  }

  /// Marks the begin of a reducer, under the lock of its knot.
  @inlinable
  static func begin(_ state: Any.Type) {
    unsafe asyncKnotCurrentReducer().pointee.state = unsafeBitCast(
      state, to: UnsafeRawPointer.self)
  }

  @inlinable static func end() { unsafe asyncKnotCurrentReducer().pointee.state = nil }

  /// Runs a body as a reducer; the caller carries out the endings.
  static func marking<Result>(_ state: Any.Type, _ body: () -> Result) -> Result {
    begin(state)
    defer { end() }
    return body()
  }

  /// Runs a reducer on a state that no lock guards; it obeys S11 all the same.
  package static func run<State, Result>(_ state: State.Type, _ body: () -> Result) -> Result {
    if isRunning { refuse(State.self) }
    defer { carryOutEndings() }
    return marking(state, body)
  }

  /// Calls the bodies that wait for the end of the reducer, whose lock is released by now.
  @inlinable
  static func carryOutEndings() {
    if unsafe asyncKnotCurrentReducer().pointee.endings != nil { callEndings() }
  }

  /// Calls a body now, or after the reducer that runs on this thread.
  static func afterwards(_ body: @escaping @Sendable () -> Void) {
    guard isRunning else { return body() }
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

  /// Ends the program: a reducer uses a holder.
  @usableFromInline @inline(never)
  static func refuse<State>(_ used: State.Type) -> Never {
    let reduced = unsafe asyncKnotCurrentReducer().pointee.state.map {
      unsafe "\(unsafeBitCast($0, to: Any.Type.self))"
    }
    fatalError(
      """
      A reducer of '\(reduced ?? "?")' reads or writes a holder of '\(used)'. In a reducer the \
      state is its 'inout' parameter. It must not use a holder, neither its own, which is locked \
      until it returns, nor another one, whose reducer may wait for this one. Read the state \
      before the reduction, or with withState(from:) (S11). The closure of a 'Derived' counts as a \
      reducer: name the holder as one of its sources (S23). The article Words explains holder \
      and reducer.
      """)
  }

  private final class Endings {
    var bodies: [@Sendable () -> Void] = []
  }
}
