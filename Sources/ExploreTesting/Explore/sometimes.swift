/// Fails the exploration unless a condition holds in at least one run.
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
/// If no run meets the condition, the exploration fails after its last run, because the scenario never reaches what it is meant
/// to test. The exploration learns of the condition when a run first calls this function, so put the call where every run
/// reaches it. ``explore(seeds:strategy:jobLimit:patience:allowing:leavesNothing:sourceLocation:_:)``,
/// ``exploreAll(preemptions:faults:stateIsInActors:interrupts:limit:timeLimit:jobLimit:sourceLocation:_:)`` and
/// ``exploreCancelling(seeds:limit:sourceLocation:_:)`` check the condition; the replay of one seed does not. Outside an
/// exploration the call does nothing. You can call it from any isolation.
///
/// - Parameters:
///   - name: The name of the condition in the report. Calls with the same name share one condition.
///   - condition: Whether this run meets the condition.
public func sometimes(_ name: String, _ condition: Bool = true) {
  Explorer.current?.testContext?.meet(name, condition)
}
