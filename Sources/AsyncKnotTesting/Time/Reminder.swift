internal import Synchronization
internal import Testing

/// Says what a test waits for, where it would otherwise wait without a word.
///
/// Under an exploration nobody needs it: a run that stalls says who waits. Elsewhere a forgotten
/// `advance(by:)` would let a test hang; after half a minute a warning names the wait. The test itself
/// ends only by its time limit, because what it waits for may yet come. While other tests keep the threads
/// busy it says nothing: then what is awaited may only be late.
struct Reminder: Sendable {
  private let task: Task<Void, Never>

  /// How long a test waits before it is told: less than the shortest time limit of a test, a minute.
  static let delay = Duration.seconds(30)

  /// The clock of the test's waits, where a test of the kit moves it.
  @TaskLocal static var clock: TestClock?

  /// Starts to wait; `nil` under an exploration, and outside of a test.
  init?(_ text: @escaping @Sendable () -> String) {
    guard Explorer.current == nil, Test.current != nil else { return nil }
    let clock = Self.clock
    task = Task {
      do { try await Self.sleep(on: clock) } catch { return }
      let words = "\(text()), after \(Self.delay) of waiting: is something forgotten?"
      #if compiler(>=6.3)
        Issue.record(Comment(rawValue: words), severity: .warning)
      #else
        Issue.record(Comment(rawValue: words))
      #endif
    }
  }

  private static func sleep(on clock: TestClock?) async throws {
    if let clock {
      // This sleep needs no reminder of the same kind.
      return try await $clock.withValue(nil) { try await clock.sleep(for: delay) }
    }
    repeat { try await Task.sleep(for: delay) } while await isBusy()
  }

  /// Whether tasks have to wait for their turn.
  private static func isBusy() async -> Bool {
    let start = ContinuousClock.now
    await yieldToOthers()
    return start.duration(to: .now) > .milliseconds(20)
  }

  func cancel() { task.cancel() }
}

/// Does something that may wait for ever, and says what it waits for.
func awaited<Result>(
  _ text: @escaping @Sendable () -> String, _ body: () async -> Result
) async -> Result {
  let explorer = Explorer.current
  let note = explorer?.addNote(text)
  let reminder = Reminder(text)
  defer {
    reminder?.cancel()
    if let note { explorer?.removeNote(note) }
  }
  return await body()
}
