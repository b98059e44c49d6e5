internal import AsyncKnot
internal import Synchronization

/// One live handler, shared by its control and its delivering loop.
///
/// One task delivers for as long as the watching lasts, so handlers never overlap; they see the
/// task-local values of the caller of `live`. A pause suspends the task. A watching belongs to no
/// dispatch: one that was made in a dispatch outlives it.
final class Watching<Value: Sendable>: AnyWatching {
  private let machine: Mutex<WatchMachine<Value>>
  private let start: @Sendable () -> Watcher<Value>.Start
  private let task = Mutex<TaskBag.Entry?>(nil)
  private let crowd: WatchCrowd
  /// The bag of the task if the caller has named none.
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

  /// Starts the delivering task; to be called once.
  ///
  /// - Parameters:
  ///   - bag: The bag of the task; `nil` for a bag of its own.
  ///   - isolation: The handler's isolation; the loop checks for a pause there before each call.
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
      // The start calls user code, so it is made outside the lock. A pause in the meantime makes it
      // out of date.
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
      // The bag was cancelled, or the watching was ended before.
      let action = machine.withLock { $0.end() }
      action.carryOut()
    }
  }

  /// Delivers until the epoch is over; ends the watching if the values end first.
  private func deliver(
    _ start: Watcher<Value>.Start, in epoch: Int, isolation: isolated (any Actor)?
  ) async {
    var next = start.current
    if next == nil { next = await start.next(isolation) }
    // No suspension lies between this check and the call: both are on the handler's isolation.
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
    // If one object is gone, others may be, too.
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
