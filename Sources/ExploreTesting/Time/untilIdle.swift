internal import Synchronization
public import Testing

/// Suspends until every other task of the exploration waits or has ended.
///
/// ```swift
/// await account.deposit(1)
/// await untilIdle()
/// #expect(recorder.elements.last == 1)
/// ```
/// The call returns when no other job is ready, before time advances. Only an exploration knows when that is the case, so outside
/// an exploration the call records an issue and returns. Outside an exploration, wait for the expected result, for example with a
/// ``Recorder``, or let other tasks run for a while with ``yieldToOthers(times:)``. Cancellation does not end the wait.
///
/// - Parameter sourceLocation: Where the issue is recorded.
public func untilIdle(sourceLocation: SourceLocation = #_sourceLocation) async {
  if let explorer = Explorer.current { return await explorer.untilIdle() }
  Verdict.record(
    "untilIdle: works only in an exploration; elsewhere wait for what you expect, for example with a Recorder",
    sourceLocation: sourceLocation)
}

/// Yields repeatedly, so that other tasks can run.
///
/// Outside an exploration, the other tasks may still be running afterward, because they run on other threads. In an
/// exploration, use ``untilIdle(sourceLocation:)``. Cancellation does not end the call.
///
/// - Parameter times: The number of yields; not negative.
public func yieldToOthers(times: Int = 64) async {
  precondition(times >= 0, "yieldToOthers(times:): needs at least 0 times; got \(times)")
  for _ in 0..<times { await Task.yield() }
}

/// Suspends until no other job is ready; outside an exploration, yields repeatedly.
package func untilIdleOrYields() async {
  if let explorer = Explorer.current { return await explorer.untilIdle() }
  await yieldToOthers()
}

/// Lets other tasks run while a condition holds, for a limited number of turns.
///
/// Outside an exploration the limit is high, because tasks on other threads may need many turns on a busy machine.
package func untilIdle(while isAwaited: @autoclosure () -> Bool) async {
  let turns = Explorer.current == nil ? 1_000 : 1
  for _ in 0..<turns where isAwaited() { await untilIdleOrYields() }
}

/// Calls a function that may wait forever; if the run stalls meanwhile, the report contains the text.
package func awaited<Result>(
  _ text: @escaping @Sendable () -> String, _ body: () async -> Result
) async -> Result {
  let explorer = Explorer.current
  let note = explorer?.state.withLock { state in
    state.lastNote += 1
    state.notes[state.lastNote] = text
    return state.lastNote
  }
  defer { if let note { explorer?.state.withLock { _ = $0.notes.removeValue(forKey: note) } } }
  return await body()
}
