internal import Synchronization

/// A clock whose time a test advances.
///
/// In an exploration, the clock advances to the next deadline by itself when no job is ready. Outside an exploration, wait
/// until a task is sleeping, and then advance the clock. Use ``sleepers(atLeast:)`` to wait for a task that sleeps once, such as
/// a debounced request, a retry or a timeout:
/// <!-- sample: extension Search { init(clock: TestClock) { self.init() } } -->
/// ```swift
/// let clock = TestClock()
/// let search = Search(clock: clock)
/// let titles = Recorder(search.titles)
/// search.type("a")  // debounced for 300 milliseconds, on this clock
/// await clock.sleepers(atLeast: 1)
/// await clock.advance(by: .milliseconds(300))
/// await titles.wait(for: 1)
/// ```
/// Pass a count of sleepers to `advance` only if the tasks go back to sleep each time:
/// ```swift
/// let ticks = Recorder(search.ticks(every: .seconds(1), on: clock))
/// await clock.advance(by: .seconds(3), sleepers: 1)
/// await ticks.wait(for: 3)
/// ```
/// Sleeping tasks are resumed in the order of their deadlines. You can use a clock from any isolation.
public final class TestClock: Clock, Identifiable, Sendable {
  /// A moment on a test clock, stored as the time since the clock's start.
  public struct Instant: InstantProtocol {
    /// The time since the clock's start.
    public let offset: Duration

    /// Creates the moment at a time since the clock's start.
    ///
    /// - Parameter offset: The time since the start.
    public init(offset: Duration = .zero) { self.offset = offset }

    /// Returns the moment that is later by a duration.
    ///
    /// - Parameter duration: The duration; if negative, the result is earlier.
    /// - Returns: The later moment.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// Returns the time from this moment to another.
    ///
    /// - Parameter other: The other moment.
    /// - Returns: The time between them; negative if the other moment is earlier.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Compares two moments by their time since the start.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let time: Mutex<Duration>
  /// The sleeping tasks, and the tasks that are waiting for a number of sleepers.
  private let sleepers = WaitList<Duration>()
  private let waits = WaitList<Int>()

  /// Creates a clock.
  ///
  /// - Parameter now: The moment at which the clock starts.
  public init(now: Instant = Instant()) {
    time = Mutex(now.offset)
    Explorer.current?.drive(self)
  }

  /// The current moment of the clock.
  public var now: Instant { Instant(offset: time.withLock { $0 }) }

  /// The smallest step of the clock: zero, because it can advance by any duration.
  public var minimumResolution: Duration { .zero }

  /// The number of tasks that are sleeping on this clock.
  public var sleeperCount: Int { sleepers.count }

  /// Suspends until the clock reaches the deadline.
  ///
  /// - Parameters:
  ///   - deadline: The moment to wake at. The call returns immediately if that moment has passed.
  ///   - tolerance: Ignored: a task wakes exactly at its deadline.
  /// - Throws: `CancellationError` as soon as the task is cancelled, and when the run of an exploration ends.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    Explorer.current?.drive(self)
    if deadline <= now { return try Task.checkCancellation() }
    let isReached = await sleepers.wait(until: deadline.offset) {
      Explorer.current?.noteSleep()
      waits.resume(reached: sleeperCount)
      return now.offset
    }
    if !isReached { throw CancellationError() }
  }

  /// Suspends until at least `count` tasks sleep on this clock, or the waiting task is cancelled.
  ///
  /// - Parameter count: The number of tasks that must sleep.
  public func sleepers(atLeast count: Int) async {
    await awaited({
      "TestClock: a task waits for \(counted(count, "sleeper")); the clock has \(self.sleeperCount)"
    }) {
      _ = await waits.wait(until: count) { sleeperCount }
    }
  }
}

extension TestClock: DrivenClock {
  /// The time until the first sleeping task wakes.
  var timeToNextDeadline: Duration? { nextDeadline.map { now.duration(to: $0) } }

  /// Advances time and resumes the tasks that are due, without waiting for them to run.
  func move(by duration: Duration) { move(to: now.advanced(by: duration)) }

  func move(to instant: Instant) {
    time.withLock { $0 = max($0, instant.offset) }
    sleepers.resume(reached: now.offset)
  }

  /// Makes every sleeping task throw a `CancellationError`.
  func cancelSleepers() { sleepers.cancelAll() }

  var nextDeadline: Instant? { sleepers.first.map(Instant.init(offset:)) }
}
