public import Synchronization

/// A waiting consumer.
///
/// When a source has a new element, it rings the waiter. Cancelling the task also rings the waiter.
///
/// A source adds the waiter to its list in the same critical section in which it finds no new element (S5).
///
/// Ringing does not take a lock, because a reducer, which runs under a lock, may cancel the task.
@usableFromInline
final class Waiter: Wakeable {
  @usableFromInline typealias Continuation = UnsafeContinuation<Void, Never>

  /// `silent`, `rung`, or the continuation of the suspended consumer.
  @usableFromInline let word = Atomic<UInt>(0)

  @usableFromInline static var silent: UInt { 0 }
  @usableFromInline static var rung: UInt { 1 }

  @usableFromInline init() {}

  /// Clears an earlier ring; called before the waiter is added to a list.
  ///
  /// Traps if another consumer is suspended, because that consumer would never be woken.
  @inlinable
  func reset() {
    if word.exchange(Self.silent, ordering: .relaxed) > Self.rung { Self.refuseSecondConsumer() }
  }

  @usableFromInline @inline(never)
  static func refuseSecondConsumer() -> Never {
    fatalError(
      "next(): two copies of one iterator wait at the same time; call makeAsyncIterator() for each task"
    )
  }

  /// Wakes the consumer or prevents it from suspending.
  ///
  /// The caller must not hold a lock that a cancellation handler takes.
  @inlinable
  func ring() {
    let old = word.exchange(Self.rung, ordering: .acquiringAndReleasing)
    if old > Self.rung { unsafe unsafeBitCast(old, to: Continuation.self).resume() }
  }

  /// Stores the continuation, or resumes it if the waiter was rung before the consumer suspended.
  @inlinable
  func suspend(_ continuation: Continuation) {
    // The bit cast is safe because a continuation is one pointer, which is neither 0 nor 1.
    let (isKept, old) = word.compareExchange(
      expected: Self.silent, desired: unsafe unsafeBitCast(continuation, to: UInt.self),
      ordering: .acquiringAndReleasing)
    if old > Self.rung { Self.refuseSecondConsumer() }
    if !isKept { unsafe continuation.resume() }
  }
}

/// A source of elements for which a consumer can wait.
@usableFromInline
protocol Waitable: Sendable {
  /// Identifies the last element that a consumer has seen.
  associatedtype Position
  associatedtype Found

  /// Takes the element after `position`, or registers `waiter` in the same critical section.
  func take(after position: Position, for waiter: Waiter) -> Taken<Found>

  /// Removes a cancelled consumer from the list.
  ///
  /// A consumer that was woken has already been removed.
  func leave(_ ticket: UInt64)
}

@usableFromInline
enum Taken<Found> {
  case found(Found)
  /// There is no element, and none will follow.
  case finished
  case wait(ticket: UInt64)
}

extension Waitable {
  /// Waits for the element after `position`; returns `nil` at the end or when the task is cancelled.
  ///
  /// After each wait the method checks once whether the task is cancelled. A cancelled consumer takes nothing and forwards its
  /// wake-up. Any other consumer tries again to take an element, even if it is cancelled in the meantime. After the method has
  /// returned `nil`, the waiter must not be used again, because a late ring may still arrive.
  @inlinable
  func next(
    after position: Position, as waiter: Waiter, isolation: isolated (any Actor)?
  ) async -> Found? {
    guard !Task.isCancelled else { return nil }
    while true {
      waiter.reset()
      switch take(after: position, for: waiter) {
      case .found(let found): return found
      case .finished: return nil
      case .wait(let ticket):
        // This code is not a separate function, because the frame of another function would make a suspended task need a second
        // stack segment.
        Spawn.preemptionPoint()
        await withTaskCancellationHandler {
          unsafe await withUnsafeContinuation(isolation: isolation) { unsafe waiter.suspend($0) }
        } onCancel: {
          waiter.ring()
        }
        if Task.isCancelled {
          leave(ticket)
          return nil
        }
        Spawn.preemptionPoint()
      }
    }
  }
}
