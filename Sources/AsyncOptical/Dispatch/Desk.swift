public import AsyncKnot
public import Synchronization

/// Takes what is sent to one holder, has it carried out as the policies say, and logs the transitions.
///
/// It is kept with the holder's knot and goes with the holder. It never holds the holder.
@usableFromInline
final class Desk<W: Work>: Sendable {
  /// What goes through the mailbox.
  @usableFromInline
  enum Mail: Sendable {
    /// A message whose policy is still to be asked for.
    case sent(W.Message)
    /// A message that has waited for its turn.
    indirect case due(W.Message, Lane)
  }

  @usableFromInline let mailbox = Mailbox<Mail>()
  /// Under this lock ids are hashed and compared, which nothing that takes the lock does.
  @usableFromInline let lanes = Mutex(Lanes<W.Message, Dispatch>())
  @usableFromInline let records = EventChannel<Record<W.Cause, W.Holder.State>>()
  /// How many probes want to know when all is carried out.
  @usableFromInline let probeCount = Atomic(0)

  /// The timers of debounced messages: they end with the holder, and with nothing else.
  let timers = TaskBag()
  let timeline = Mutex<Timeline?>(nil)

  @usableFromInline
  init() {}

  /// How many messages were sent and are neither carried out nor dropped.
  ///
  /// A message that goes from the mailbox to a lane, or back, is counted in one of them before it leaves the other.
  var unfinishedCount: Int { lanes.withLock { mailbox.count + $0.waitingCount } }

  @inlinable
  func send(_ message: W.Message, to holder: W.Holder) {
    guard Dispatch.isBound else { return post(.sent(message), to: holder) }
    // The runner that this may start serves other senders, too.
    Dispatch.unbound { post(.sent(message), to: holder) }
  }

  @inlinable
  func post(_ mail: Mail, to holder: W.Holder) {
    mailbox.send(mail, to: holder, in: holder.bag) { await self.handle($1, on: $0) }
  }

  // Inlined, like `carryOut` of the works: each async function on the way costs a look at the executors.
  @inlinable @inline(__always)
  func handle(_ mail: Mail, on holder: isolated W.Holder) async {
    switch mail {
    case .sent(let message):
      let policy = W.policy(of: holder, for: message)
      if case .concurrent = policy {
        await W.carryOut(message, on: holder)
      } else {
        await admit(message, under: policy, on: holder)
      }
    case .due(let message, let lane):
      await start(message, in: lane, on: holder)
    }
    mailbox.countHandled()
    tellProbes()
  }

  @inlinable
  func start(_ message: W.Message, in lane: Lane, on holder: isolated W.Holder) async {
    let dispatch = Dispatch(in: mailbox.runner)
    let (superseded, number) = lanes.withLock { $0.start(in: lane, as: dispatch) }
    superseded?.supersede()
    await carryOut(message, as: dispatch, number, in: lane, on: holder)
  }

  @inlinable
  func admit(
    _ message: W.Message, under policy: DispatchPolicy, on holder: isolated W.Holder
  ) async {
    guard let lane = policy.lane else { return await W.carryOut(message, on: holder) }
    let quietTime = policy.quietTime
    let dispatch = Dispatch(in: mailbox.runner)
    let deadline = quietTime + (lane.kind == .debounced ? timeline(of: holder).now() : .zero)
    let (admission, number) = lanes.withLock {
      $0.admit(message, to: lane, deadline: deadline, as: dispatch)
    }
    switch admission {
    case .start(let superseded):
      superseded?.supersede()
      await carryOut(message, as: dispatch, number, in: lane, on: holder)
    case .delay(let needsTimer):
      if needsTimer { startTimer(for: lane, until: deadline, on: holder) }
    case .wait, .drop: break
    }
  }

  @inlinable
  func carryOut(
    _ message: W.Message, as dispatch: Dispatch, _ number: Int, in lane: Lane,
    on holder: isolated W.Holder
  ) async {
    await dispatch.run { await W.carryOut(message, on: holder) }
    if let next = lanes.withLock({ $0.finish(number, in: lane) }) {
      post(.due(next, lane), to: holder)
    }
  }
}

/// Time.
extension Desk {
  /// The holder's clock, asked for once.
  @usableFromInline
  func timeline(of holder: W.Holder) -> Timeline {
    if let timeline = timeline.withLock({ $0 }) { return timeline }
    let timeline = Timeline(W.clock(of: holder))
    self.timeline.withLock { $0 = timeline }
    return timeline
  }

  /// Sleeps until a lane has been quiet; nothing but the clock is held meanwhile.
  @usableFromInline
  func startTimer(for lane: Lane, until deadline: Duration, on holder: W.Holder) {
    let sleep = timeline(of: holder).sleep
    timers.add { [weak holder] in
      var deadline: Duration? = deadline
      while let next = deadline {
        do { try await sleep(next) } catch { return }
        deadline = holder.flatMap { W.desk(of: $0).timerFired(for: lane, on: $0) }
      }
    }
  }

  /// Starts the message of a lane that has been quiet.
  ///
  /// - Returns: Until when to sleep instead.
  private func timerFired(for lane: Lane, on holder: W.Holder) -> Duration? {
    let now = timeline(of: holder).now()
    switch lanes.withLock({ $0.due(in: lane, at: now) }) {
    case .sleep(let deadline): return deadline
    case .start(let message):
      post(.due(message, lane), to: holder)
      // It was sent before it stops waiting: at no time is it neither.
      lanes.withLock { $0.waitingCount -= 1 }
      tellProbes()
    case nil: break
    }
    return nil
  }
}
