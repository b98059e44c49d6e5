internal import AsyncKnot
internal import Synchronization

/// One handler that is live, as its control and its loop share it.
///
/// One task delivers for as long as the watching lasts, so that handlers never overlap, and sees the
/// task-local values of whoever registered the handler. A pause parks it. It belongs to no dispatch: a
/// watching that was begun in one outlives it.
final class Watching<Value: Sendable>: AnyWatching {
  private let machine: Mutex<WatchMachine<Value>>
  private let start: @Sendable () -> Watcher<Value>.Start
  private let task = Mutex<TaskBag.Entry?>(nil)
  private let crowd: WatchCrowd
  /// What the task is in where nobody has named a bag.
  private let ownBag: TaskBag?

  init(
    _ start: @escaping @Sendable () -> Watcher<Value>.Start,
    _ handler: any WatchHandler<Value>, crowd: WatchCrowd, bag: TaskBag?
  ) {
    self.start = start
    self.crowd = crowd
    ownBag = bag == nil ? TaskBag() : nil
    machine = Mutex(WatchMachine(handler))
  }

  /// Starts the task that delivers; to be called once.
  ///
  /// - Parameters:
  ///   - bag: What ends the watching, if it is not to be the holder alone.
  ///   - isolation: That of the handler, so that a pause there is seen before each call.
  func run(in bag: TaskBag?, isolation: (any Actor)?) {
    guard let bag = bag ?? ownBag else { return }
    let entry = Dispatch.unbound {
      bag.add { [self] in await deliver(isolation: isolation) }
    }
    Spawn.preemptionPoint()
    let hasEnded = task.withLock { task in
      task = entry
      return machine.withLock { if case .end = $0.step() { true } else { false } }
    }
    if hasEnded { entry.cancel() }
  }

  func resume() {
    while let epoch = machine.withLock({ $0.pausedEpoch }) {
      // The values of users are made outside of the lock. A pause in the meantime makes them old.
      let start = start()
      Spawn.preemptionPoint()
      if let action = machine.withLock({ $0.resume(with: start, in: epoch) }) {
        return action.carryOut()
      }
      start.end()
    }
  }

  func pause() {
    let action = machine.withLock { $0.pause() }
    Spawn.preemptionPoint()
    action.carryOut()
  }

  func end() {
    let action = machine.withLock { $0.end() }
    Spawn.preemptionPoint()
    action.carryOut()
    task.withLock { $0.take() }?.cancel()
  }

  func endIfPaused() {
    if machine.withLock({ $0.pausedEpoch }) != nil { end() }
  }

  private func deliver(isolation: isolated (any Actor)?) async {
    await withTaskCancellationHandler {
      loop: while true {
        switch machine.withLock({ $0.step() }) {
        case .deliver(let start, let epoch):
          await deliver(start, in: epoch, isolation: isolation)
        case .park: await park()
        case .end: break loop
        }
      }
    } onCancel: {
      // The bag was cancelled, or the watching was ended already.
      let action = machine.withLock { $0.end() }
      action.carryOut()
    }
  }

  /// Delivers until the epoch is over; ends the watching where the values end first.
  private func deliver(
    _ start: Watcher<Value>.Start, in epoch: Int, isolation: isolated (any Actor)?
  ) async {
    var next = start.current
    if next == nil { next = await start.next(isolation) }
    // No suspension lies between this look and the call: both are on the handler's isolation.
    while let handler = machine.withLock({ $0.handler(in: epoch) }) {
      if let value = next {
        guard await handler.handle(value, isolation: isolation) else { break }
      } else {
        guard machine.withLock({ $0.takeCheck() }), handler.isWanted else { break }
      }
      next = await start.next(isolation)
    }
    guard machine.withLock({ $0.isCurrent(epoch) }) else { return }
    end()
    // Where one object is gone, others may be, too.
    crowd.check()
  }

  private func park() async {
    Spawn.preemptionPoint()
    await withCheckedContinuation { continuation in
      let isParked = machine.withLock { $0.park(continuation) }
      if !isParked { continuation.resume() }
    }
  }

  func check() {
    machine.withLock { $0.check() }?.interrupt()
  }
}
