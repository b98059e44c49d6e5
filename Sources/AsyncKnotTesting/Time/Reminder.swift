internal import Synchronization
internal import Testing

/// Says what a test waits for, where it would otherwise wait without a word.
///
/// Under an exploration nobody needs it: a run that stalls says who waits. Elsewhere a forgotten
/// `advance(by:)` would let a test hang; after half a minute a warning names the wait. The test itself
/// ends only by its time limit, because what it waits for may yet come.
struct Reminder: Sendable {
  private let task: Task<Void, Never>

  /// How long a test waits before it is told.
  static let delay = Duration.seconds(30)

  /// Starts to wait; `nil` under an exploration, and outside of a test.
  init?(_ text: String, _ state: @escaping @Sendable () -> String) {
    guard Explorer.current == nil, Test.current != nil else { return nil }
    task = Task {
      do { try await Task.sleep(for: Self.delay) } catch { return }
      let words = "\(text) \(state()) after \(Self.delay) of waiting: is an advance missing?"
      #if compiler(>=6.3)
        Issue.record(Comment(rawValue: words), severity: .warning)
      #else
        Issue.record(Comment(rawValue: words))
      #endif
    }
  }

  func cancel() { task.cancel() }
}

/// Does something that may wait for ever, and says what it waits for.
func awaited<Result>(
  _ text: String, _ state: @escaping @Sendable () -> String, _ body: () async -> Result
) async -> Result {
  let explorer = Explorer.current
  let note = explorer?.addNote { "\(text) \(state())" }
  let reminder = Reminder(text, state)
  defer {
    reminder?.cancel()
    if let note { explorer?.removeNote(note) }
  }
  return await body()
}
