/// Suspends until all other tasks have run as far as they can.
///
/// ```swift
/// await node.sink(State(count: 1))
/// await untilIdle()
/// #expect(recorder.elements.last?.count == 1)
/// ```
/// Under an exploration this is exact: it goes on when nothing else is ready, before time moves.
/// Elsewhere tasks run on threads of their own, and get a number of yields to run in; prefer to wait
/// for what you expect there.
public func untilIdle() async {
  if let explorer = Explorer.current { return await explorer.untilIdle() }
  for _ in 0..<64 { await Task.yield() }
}

/// Lets all other tasks run while something is still to come, as long as that may be worth it.
///
/// On threads of their own the others may need many turns, on a busy machine above all.
func untilIdle(while isAwaited: @autoclosure () -> Bool) async {
  let turns = Explorer.current == nil ? 1_000 : 1
  for _ in 0..<turns where isAwaited() { await untilIdle() }
}
