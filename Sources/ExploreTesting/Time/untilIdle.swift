internal import Synchronization
public import Testing

/// Suspends until all other tasks of the exploration wait or have ended.
///
/// ```swift
/// await account.deposit(1)
/// await untilIdle()
/// #expect(recorder.elements.last == 1)
/// ```
/// It returns when no other job is ready, before time moves. Only an exploration knows that: elsewhere the
/// call records an issue and returns. There wait for what you expect, with a ``Recorder`` for example, or
/// guess with ``yieldToOthers(times:)``. Cancellation does not end the wait.
///
/// - Parameter sourceLocation: The place at which the issue is recorded.
public func untilIdle(sourceLocation: SourceLocation = #_sourceLocation) async {
  if let explorer = Explorer.current { return await explorer.untilIdle() }
  Verdict.record(
    "untilIdle: only an exploration knows when nothing else is ready, and this is none",
    sourceLocation: sourceLocation)
}

/// Yields so many times, so that other tasks can run.
///
/// Whether they have done their work then is a guess, because they run on threads of their own. In an
/// exploration use ``untilIdle(sourceLocation:)``. Cancellation does not end the call.
///
/// - Parameter times: How often it yields; not negative.
public func yieldToOthers(times: Int = 64) async {
  for _ in 0..<times { await Task.yield() }
}

/// In an exploration suspends until nothing else is ready; elsewhere yields a number of times.
package func untilIdleOrYields() async {
  if let explorer = Explorer.current { return await explorer.untilIdle() }
  await yieldToOthers()
}

/// Lets other tasks run while a condition holds, for a limited number of turns.
///
/// Tasks on threads of their own may need many turns, above all on a busy machine.
package func untilIdle(while isAwaited: @autoclosure () -> Bool) async {
  let turns = Explorer.current == nil ? 1_000 : 1
  for _ in 0..<turns where isAwaited() { await untilIdleOrYields() }
}

/// Calls a function that may wait for ever, and has the report of a stall say what it waits for.
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
