import Dispatch

/// Marks the main queue, on whose thread the main actor runs.
///
/// On Linux, `Thread.isMainThread` is `false` on the main actor if another thread drains the main queue.
private let mainQueueKey: DispatchSpecificKey<Bool> = {
  let key = DispatchSpecificKey<Bool>()
  DispatchQueue.main.setSpecific(key: key, value: true)
  return key
}()

/// Whether this code runs on the main queue.
package func isOnMainThread() -> Bool { DispatchQueue.getSpecific(key: mainQueueKey) == true }

/// A main-actor object that logs whether it is deallocated on the main actor.
@MainActor package final class Mortal {
  private let diedAtHome: Log<Bool>

  package init(_ log: Log<Bool>) { diedAtHome = log }

  deinit { diedAtHome.append(isOnMainThread()) }
}
