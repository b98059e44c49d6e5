internal import Testing

/// Suspends until all other tasks of the exploration have run as far as they can.
///
/// ```swift
/// await node.sink(State(count: 1))
/// await untilIdle()
/// #expect(recorder.elements.last?.count == 1)
/// ```
/// It goes on when nothing else is ready, before time moves. Only an exploration knows that: elsewhere
/// an issue is recorded. There wait for what you expect, with a ``Recorder`` for example, or guess with
/// ``yieldToOthers(times:)``.
public func untilIdle() async {
  if let explorer = Explorer.current { return await explorer.untilIdle() }
  Issue.record("untilIdle: only an exploration knows when nothing else is ready, and this is none")
}

/// Lets other tasks have their turn, so many times.
///
/// Whether they are done then is a guess: they run on threads of their own. Under an exploration
/// ``untilIdle()`` knows.
///
/// - Parameter times: How many turns they have.
public func yieldToOthers(times: Int = 64) async {
  for _ in 0..<times { await Task.yield() }
}

/// Suspends until nothing else is ready, under an exploration, and elsewhere for some turns of the others.
func untilIdleOrYields() async {
  if let explorer = Explorer.current { return await explorer.untilIdle() }
  await yieldToOthers()
}

/// Lets all other tasks run while something is still to come, as long as that may be worth it.
///
/// On threads of their own the others may need many turns, on a busy machine above all.
func untilIdle(while isAwaited: @autoclosure () -> Bool) async {
  let turns = Explorer.current == nil ? 1_000 : 1
  for _ in 0..<turns where isAwaited() { await untilIdleOrYields() }
}
