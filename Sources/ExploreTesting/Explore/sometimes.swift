/// Demands that a condition holds in at least one run of the exploration.
///
/// ```swift
/// await explore(seeds: 1_000) {
///   let account = Account()
///   let deposit = Task { await account.deposit(1) }
///   let seen = await account.balance
///   sometimes("the deposit came first", seen == 1)
///   sometimes("the deposit came later", seen == 0)
///   await deposit.value
/// }
/// ```
/// If no run has met the condition, the exploration fails when its last run has passed: the scenario does not
/// reach what it is meant to test. The demand begins when a run calls this function for the first time, so
/// call it where each run comes by. ``explore(seeds:strategy:jobLimit:patience:allowing:leavesNothing:sourceLocation:_:)``,
/// ``exploreAll(preemptions:faults:stateIsInActors:interrupts:limit:timeLimit:jobLimit:sourceLocation:_:)`` and
/// ``exploreCancelling(seeds:limit:sourceLocation:_:)`` check it; a replay of one seed does not. Outside of an
/// exploration the call does nothing. It may be called from any isolation.
///
/// - Parameters:
///   - name: What the condition is called in the report. Calls with one name are one condition.
///   - condition: Whether this run meets it.
public func sometimes(_ name: String, _ condition: Bool = true) {
  Explorer.current?.testContext?.meet(name, condition)
}
