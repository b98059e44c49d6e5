internal import Synchronization

/// A clock whose time a test moves.
///
/// In an exploration the clock moves by itself to the next deadline when nothing else is ready. Elsewhere wait
/// until somebody sleeps, and move it. A task that sleeps once, as a debounced request, a retry or a timeout
/// does, is waited for with ``sleepers(atLeast:)``:
/// <!-- sample: let search = Search(), titles = Recorder(search.titles) -->
/// ```swift
/// let clock = TestClock()
/// search.type("a")  // debounced for 300 milliseconds, on this clock
/// await clock.sleepers(atLeast: 1)
/// await clock.advance(by: .milliseconds(300))
/// await titles.wait(for: 1)
/// ```
/// Only where a task goes back to sleep each time may `advance` be told how many do:
/// ```swift
/// let ticks = Recorder(search.ticks(every: .seconds(1), on: clock))
/// await clock.advance(by: .seconds(3), sleepers: 1)
/// await ticks.wait(for: 3)
/// ```
/// Tasks that sleep are resumed in the order of their deadlines. A clock may be used from any isolation.
public final class TestClock: Clock, Identifiable, Sendable {
  /// A moment of a test clock, as the time since its start.
  public struct Instant: InstantProtocol {
    /// The time since the clock's start.
    public let offset: Duration

    /// Creates the moment that is this long after the clock's start.
    ///
    /// - Parameter offset: The time since the start.
    public init(offset: Duration = .zero) { self.offset = offset }

    /// The moment that is this much later.
    ///
    /// - Parameter duration: How much later.
    /// - Returns: The later moment.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// The time from this moment to another.
    ///
    /// - Parameter other: The other moment.
    /// - Returns: The time between them, negative where the other comes first.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether a moment comes before another.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let time: Mutex<Duration>
  /// The tasks that sleep, and those that wait until enough do.
  private let sleepers = WaitList<Duration>()
  private let waits = WaitList<Int>()

  /// Creates a clock.
  ///
  /// - Parameter now: The moment that it shows at first.
  public init(now: Instant = Instant()) {
    time = Mutex(now.offset)
    Explorer.current?.drive(self)
  }

  /// The moment that the clock shows.
  public var now: Instant { Instant(offset: time.withLock { $0 }) }

  /// The smallest step of the clock: zero, because it can be moved by any duration.
  public var minimumResolution: Duration { .zero }

  /// The number of tasks that sleep on this clock.
  public var sleeperCount: Int { sleepers.count }

  /// Suspends until the clock has reached the deadline.
  ///
  /// - Parameters:
  ///   - deadline: The moment to wake at. If it is over, the call returns at once.
  ///   - tolerance: It has no effect: a task wakes exactly at its deadline.
  /// - Throws: `CancellationError` as soon as the task is cancelled, and at the end of an exploration's run.
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

  /// Suspends until at least so many tasks sleep on this clock, or the waiting task is cancelled.
  ///
  /// - Parameter count: How many tasks must sleep.
  public func sleepers(atLeast count: Int) async {
    await awaited({ "TestClock: \(count) sleepers awaited; it has \(self.sleeperCount)" }) {
      _ = await waits.wait(until: count) { sleeperCount }
    }
  }
}

extension TestClock: DrivenClock {
  /// The time until the first sleeper wakes.
  var timeToNextDeadline: Duration? { nextDeadline.map { now.duration(to: $0) } }

  /// Moves time and resumes the tasks whose deadline is reached; it does not wait until they have run.
  func move(by duration: Duration) { move(to: now.advanced(by: duration)) }

  func move(to instant: Instant) {
    time.withLock { $0 = max($0, instant.offset) }
    sleepers.resume(reached: now.offset)
  }

  /// Has every sleeping task throw a `CancellationError`.
  func cancelSleepers() { sleepers.cancelAll() }

  var nextDeadline: Instant? { sleepers.first.map(Instant.init(offset:)) }
}
