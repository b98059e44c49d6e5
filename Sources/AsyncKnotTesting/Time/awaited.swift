/// Calls a function that may wait for ever, and has the report of a stall say what it waits for.
func awaited<Result>(
  _ text: @escaping @Sendable () -> String, _ body: () async -> Result
) async -> Result {
  let explorer = Explorer.current
  let note = explorer?.addNote(text)
  defer { if let note { explorer?.removeNote(note) } }
  return await body()
}
