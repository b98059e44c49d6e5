internal import Synchronization

/// Calls a function that may wait for ever, and has the report of a stall say what it waits for.
func awaited<Result>(
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
