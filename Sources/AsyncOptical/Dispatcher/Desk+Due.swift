internal import AsyncKnot
internal import Synchronization

/// The clock of the lanes, and the mailbox items that report that a lane is due.
///
/// `Lanes.startNext` decides which message starts when such an item is handled, so an item may be early or redundant.
extension Desk {
  /// Returns the current time for a message that is admitted or ends.
  ///
  /// Returns zero, without reading the holder's `clock`, if the message does not need the time.
  func now(for terms: Terms, on holder: isolated Holder) -> Duration {
    terms.isTimed ? now(on: holder) : .zero
  }

  func now(on holder: isolated Holder) -> Duration { alarms(of: holder).timeline.now() }

  /// Posts a due item if the next message of a lane can start now; otherwise sets an alarm for the lane's deadline.
  func update(_ lane: Lane, on holder: isolated Holder) {
    guard let known = unsafe lanes.occupied[lane] else { return }
    if known.isDue { return post(.due(lane, isFailed: false), to: holder, at: known.priority) }
    setAlarm(for: lane, on: holder)
  }

  /// Sets an alarm for the deadline of a lane, unless it has no deadline or an earlier alarm is enough.
  func setAlarm(for lane: Lane, on holder: isolated Holder) {
    guard let known = unsafe lanes.occupied[lane], let deadline = known.timing.deadline else {
      return
    }
    let priority = known.priority
    if known.timing.isCovered(for: deadline, at: priority.rawValue) { return }
    removeAlarm(of: known.timing)
    let number = alarms(of: holder).add(at: deadline) { [weak self, weak holder] isFailed in
      guard let self else { return }
      guard let holder else { return end() }
      post(.due(lane, isFailed: isFailed), to: holder, at: priority)
    }
    unsafe lanes.occupied[lane]?.timing.replaceAlarm(
      by: LaneTiming.Alarm(deadline: deadline, urgency: priority.rawValue, number: number))
  }

  func removeAlarm(of timing: LaneTiming?) {
    guard let alarm = timing?.alarm else { return }
    alarms.withLock { $0 }?.remove(alarm.number)
  }

  /// Returns the alarms on the holder's clock, and creates them on first use.
  ///
  /// Later uses do not read the `clock` property. The first use traps if the clock's durations are not of type `Duration`.
  func alarms(of holder: Holder) -> Alarms {
    if let alarms = alarms.withLock({ $0 }) { return alarms }
    guard let clock = holder.clock as? any Clock<Duration> else {
      fatalError(
        "\(Holder.self).clock: needs a clock with 'Duration' as its duration type; got \(Holder.PolicyClock.self). Return such a clock from 'clock', for example a ContinuousClock"
      )
    }
    let alarms = Alarms(Timeline(clock))
    // Another thread may have stored its alarms first, because a trace can begin on any thread.
    return self.alarms.withLock { known in
      known = known ?? alarms
      return known ?? alarms
    }
  }
}
