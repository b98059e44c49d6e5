internal import Synchronization
internal import Testing

/// Records a warning when a wait of the kit takes long.
///
/// Outside of an exploration a forgotten `advance(by:)` lets a test hang. After half a minute a warning names
/// the wait; the test itself ends only by its time limit, because the wait may still end. There is no warning
/// while other tests keep the threads busy, because then the wait may only be late. In an exploration the
/// report of a stall does the same.
struct Reminder: Sendable {
  private let task: Task<Void, Never>

  /// The time after which the warning comes: less than the shortest time limit of a test, a minute.
  static let delay = Duration.seconds(30)

  /// The clock that measures it in tests of the kit; `nil` for the real one.
  @TaskLocal static var clock: TestClock?

  /// Starts to wait; `nil` under an exploration, and outside of a test.
  init?(_ text: @escaping @Sendable () -> String) {
    guard Explorer.current == nil, Test.current != nil else { return nil }
    let clock = Self.clock
    task = Task {
      do { try await Self.sleep(on: clock) } catch { return }
      let words = "\(text()), after \(Self.delay) of waiting: is something forgotten?"
      Verdict.record(words, isRemark: true)
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

/// Calls a function that may wait for ever, and has a report or a warning say what it waits for.
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
