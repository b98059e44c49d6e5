/// Shows a value in the report of a failure, at each step that changes it.
///
/// <!-- sample: let list = Mutex<[Int]>([]) -->
/// ```swift
/// watch("balance", of: account) { $0.balance }   // a value of an actor
/// watch("items") { list.withLock { $0.count } }  // any other value
/// ```
/// The closure runs between two steps of a run that is replayed for a report. It does not run in the runs that search for a
/// failure, but each of those runs also keeps the closure's captured objects alive until the run ends. Outside an exploration the
/// call does nothing. You can call it from any isolation.
///
/// - Parameters:
///   - name: The name of the value in the report.
///   - value: Reads the value.
public func watch<Value>(_ name: String, _ value: @escaping @Sendable () -> Value) {
  Explorer.current?.watch(name) { "\(value())" }
}

/// Shows an actor's value in failure reports, at each step that changes the value.
///
/// You can call it from any isolation.
///
/// - Parameters:
///   - name: The name of the value in the report.
///   - actor: The actor that owns the value; it must have been created in the scenario. The call does not keep it alive.
///   - value: Reads the value.
public func watch<Subject: Actor, Value>(
  _ name: String, of actor: Subject, _ value: @escaping @Sendable (isolated Subject) -> Value
) {
  // No job runs on the actor between two steps. An isolated parameter is passed like any other parameter, so this is the same
  // cast as in `assumeIsolated` of the standard library.
  let read = unsafe unsafeBitCast(value, to: (@Sendable (Subject) -> Value).self)
  Explorer.current?.watch(name) { [weak actor] in actor.map { "\(read($0))" } }
}

/// Shows a value of main-actor code in failure reports, at each step that changes the value.
///
/// You can call it from any isolation.
///
/// - Parameters:
///   - name: The name of the value in the report.
///   - value: Reads the value.
public func watch<Value>(_ name: String, onMain value: @escaping @MainActor @Sendable () -> Value) {
  // No job runs on the run's main actor between two steps. A global actor does not change how a synchronous function is
  // called, so this cast is the same as in `MainActor.assumeIsolated`.
  let read = unsafe unsafeBitCast(value, to: (@Sendable () -> Value).self)
  Explorer.current?.watch(name) { "\(read())" }
}
