internal import AsyncKnot
internal import Synchronization

/// Pauses, resumes and ends one handler that is live.
///
/// ```swift
/// let control = feed.watch.live { state in draw(state) }
/// control.unsubscribe()   // nothing is delivered, and nothing is registered
/// control.subscribe()     // the newest state is delivered at once
/// control.cancel()        // for good
/// ```
/// Every method may be called from any thread. Dropping the control changes nothing.
public final class WatchControl: Sendable {
  private enum Phase {
    /// Nothing is delivered; the last delivery, perhaps still at work.
    case paused(after: Task<Void, Never>?)
    /// A task is about to deliver.
    case starting
    /// A task delivers.
    case live(Task<Void, Never>)
    /// Nothing will be delivered any more.
    case ended
  }

  private let phase = Mutex(Phase.paused(after: nil))
  /// Notes what is current, and gives what delivers it and the rest.
  private let begin: @Sendable () -> @Sendable () async -> Void
  private let hasBag: Bool
  private weak let bag: TaskBag?

  init(bag: TaskBag?, _ begin: @escaping @Sendable () -> @Sendable () async -> Void) {
    self.begin = begin
    self.bag = bag
    hasBag = bag != nil
  }

  /// Delivers from now on, the newest state first; while it is live it does nothing.
  public func subscribe() {
    let last: Task<Void, Never>?? = phase.withLock { phase in
      guard case .paused(let last) = phase else { return nil }
      phase = .starting
      return .some(last)
    }
    guard let last, !hasBag || bag != nil else { return }
    let task = Spawn.task { [deliver = begin()] in
      // One handler at a time, also across a pause.
      await last?.value
      if !Task.isCancelled { await deliver() }
    }
    let isWanted = phase.withLock { phase in
      guard case .starting = phase else { return false }
      phase = .live(task)
      return true
    }
    if isWanted { bag?.add(task) } else { task.cancel() }
  }

  /// Delivers nothing until `subscribe()` is called.
  public func unsubscribe() {
    phase.withLock { phase -> Task<Void, Never>? in
      switch phase {
      case .live(let task):
        phase = .paused(after: task)
        return task
      case .starting:
        phase = .paused(after: nil)
        return nil
      case .paused, .ended: return nil
      }
    }?.cancel()
  }

  /// Ends the delivery for good.
  public func cancel() {
    phase.withLock { phase -> Task<Void, Never>? in
      defer { phase = .ended }
      if case .live(let task) = phase { return task }
      return nil
    }?.cancel()
  }
}
