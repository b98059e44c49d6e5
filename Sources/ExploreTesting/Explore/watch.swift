/// Shows a value in the report of a failure, at each step that changes it.
///
/// <!-- sample: let list = Mutex<[Int]>([]) -->
/// ```swift
/// watch("balance", of: account) { $0.balance }        // an actor's
/// watch("items") { list.withLock { $0.count } }       // any other value
/// ```
/// The closure runs between two steps of a run that is replayed for a report. It does not run in
/// the runs that look for a failure. Outside of an exploration the call does nothing. It may be made on any
/// isolation.
///
/// - Parameters:
///   - name: What the value is called in the report.
///   - value: Reads the value.
public func watch<Value>(_ name: String, _ value: @escaping @Sendable () -> Value) {
  Explorer.current?.recorder?.watch(name) { "\(value())" }
}

/// Shows a value of an actor in the report of a failure, at each step that changes it.
///
/// The call may be made from any isolation.
///
/// - Parameters:
///   - name: What the value is called in the report.
///   - actor: The actor that has the value; it must have been made in the scenario.
///   - value: Reads the value.
public func watch<Subject: Actor, Value>(
  _ name: String, of actor: Subject, _ value: @escaping @Sendable (isolated Subject) -> Value
) {
  // Between two steps no job runs on the actor. An isolated parameter is passed like any other one;
  // `assumeIsolated` of the standard library does the same cast.
  let read = unsafe unsafeBitCast(value, to: (@Sendable (Subject) -> Value).self)
  Explorer.current?.recorder?.watch(name) { "\(read(actor))" }
}

/// Shows a value of main-actor code in the report of a failure, at each step that changes it.
///
/// The call may be made from any isolation.
///
/// - Parameters:
///   - name: What the value is called in the report.
///   - value: Reads the value.
public func watch<Value>(_ name: String, onMain value: @escaping @MainActor @Sendable () -> Value) {
  // Between two steps no job runs on the run's main actor. A global actor does not change how a
  // synchronous function is called; `MainActor.assumeIsolated` does the same cast.
  let read = unsafe unsafeBitCast(value, to: (@Sendable () -> Value).self)
  Explorer.current?.recorder?.watch(name) { "\(read())" }
}
