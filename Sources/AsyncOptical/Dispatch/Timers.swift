internal import AsyncKnot
internal import Synchronization

/// The timers of the lanes that wait for a clock, at most one per lane.
final class Timers: Sendable {
  private struct Running {
    let number: Int
    var entry: TaskBag.Entry?
  }

  private struct Table {
    var running: [Lane: Running] = [:]
    var lastNumber = 0
  }

  private let bag = TaskBag()
  private let table = Mutex(Table())

  /// Starts a timer and cancels the lane's running one.
  ///
  /// - Parameters:
  ///   - lane: The lane.
  ///   - priority: The priority of the timer's task.
  ///   - body: The work of the timer; it must hold no strong reference to the desk or its timers.
  func start(
    for lane: Lane, at priority: TaskPriority, _ body: @escaping @Sendable () async -> Void
  ) {
    let (number, before) = table.withLock { table in
      table.lastNumber += 1
      let before = table.running.updateValue(Running(number: table.lastNumber), forKey: lane)
      return (table.lastNumber, before)
    }
    before?.entry?.cancel()
    let entry = bag.addApart(priority: priority) { [weak self] in
      await body()
      self?.end(number, in: lane)
    }
    let isWanted = table.withLock { table in
      guard table.running[lane]?.number == number else { return false }
      table.running[lane]?.entry = entry
      return true
    }
    // The timer has ended already, or another one has replaced it.
    if !isWanted { entry.cancel() }
  }

  /// Cancels the timer of a lane, if there is one.
  func cancel(_ lane: Lane) {
    table.withLock { $0.running.removeValue(forKey: lane) }?.entry?.cancel()
  }

  private func end(_ number: Int, in lane: Lane) {
    let ended = table.withLock { table in
      table.running[lane]?.number == number ? table.running.removeValue(forKey: lane) : nil
    }
    withExtendedLifetime(ended) {}
  }
}

extension Desk {
  /// The holder's clock as a timeline; the clock is read once.
  @usableFromInline
  func timeline(of holder: Holder) -> Timeline {
    if let timeline = timeline.withLock({ $0 }) { return timeline }
    let timeline = Self.timeline(on: holder.clock)
    self.timeline.withLock { $0 = timeline }
    return timeline
  }

  private static func timeline(on clock: any Clock<Duration>) -> Timeline { Timeline(clock) }

  /// Starts a timer that sleeps until a lane is due; it holds the clock, and the holder only
  /// weakly.
  @usableFromInline
  func startTimer(
    for lane: Lane, until deadline: Duration, at priority: TaskPriority, on holder: Holder
  ) {
    let sleep = timeline(of: holder).sleep
    timers.start(for: lane, at: priority) { [weak holder] in
      var deadline: Duration? = deadline
      while let next = deadline {
        do { try await sleep(next) } catch { return }
        deadline = holder.flatMap { $0.desk.timerFired(for: lane, on: $0) }
      }
    }
  }

  /// Starts the timer of a throttled lane again if a message waits, after the one in flight has
  /// ended.
  @usableFromInline
  func resumeTimer(for lane: Lane, on holder: Holder) {
    let now = timeline(of: holder).now()
    guard let (deadline, urgency) = lanes.withLock({ $0.resume(lane, at: now) }) else { return }
    startTimer(
      for: lane, until: deadline, at: TaskPriority(rawValue: urgency), on: holder)
  }

  /// Makes the message of a lane start that is due.
  ///
  /// - Returns: The time until which the timer sleeps next; `nil` ends the timer.
  private func timerFired(for lane: Lane, on holder: Holder) -> Duration? {
    let now = timeline(of: holder).now()
    switch lanes.withLock({ $0.due(in: lane, at: now) }) {
    case .sleep(let deadline): return deadline
    case .start(let then):
      post(.due(lane), to: holder)
      return then
    case nil: return nil
    }
  }
}
