public import Synchronization

/// A consumer that waits, in one list or several.
///
/// A list holds the waiter from the critical section in which the consumer found nothing, so nothing
/// is missed before it suspends. Ringing takes no lock: a cancellation may come from a reducer.
@usableFromInline
final class Waiter: Sendable {
  @usableFromInline typealias Continuation = UnsafeContinuation<Void, Never>

  /// `silent`, `rung`, or the continuation of the suspended consumer.
  @usableFromInline let word = Atomic<UInt>(0)

  @usableFromInline static var silent: UInt { 0 }
  @usableFromInline static var rung: UInt { 1 }

  @usableFromInline
  init() {}

  /// Forgets that it was rung; called before the waiter is put into a list.
  @inlinable
  func reset() { word.store(Self.silent, ordering: .relaxed) }

  /// Wakes the consumer, or keeps it from suspending; the second call does nothing.
  ///
  /// A lock may be held only if no cancellation handler takes it.
  @inlinable
  func ring() {
    let old = word.exchange(Self.rung, ordering: .acquiringAndReleasing)
    if old > Self.rung { unsafe unsafeBitCast(old, to: Continuation.self).resume() }
  }

  /// Suspends until somebody rings or the task is cancelled.
  ///
  /// - Parameter isolation: The consumer's isolation, on which this method runs.
  @inlinable
  func wait(isolation: isolated (any Actor)?) async {
    Spawn.preemptionPoint()
    await withTaskCancellationHandler {
      unsafe await withUnsafeContinuation(isolation: isolation) { (continuation: Continuation) in
        // A continuation is one pointer, which is neither 0 nor 1.
        let (isParked, _) = word.compareExchange(
          expected: Self.silent, desired: unsafe unsafeBitCast(continuation, to: UInt.self),
          ordering: .acquiringAndReleasing)
        if !isParked { unsafe continuation.resume() }
      }
    } onCancel: {
      ring()
    }
  }
}

/// Something that consumers wait for: the states of a holder, the elements of an inbox.
@usableFromInline
protocol Waitable: Sendable {
  /// What a consumer has seen.
  associatedtype Position
  associatedtype Found

  /// Takes what is there after a position; if nothing is, registers a waiter in the same critical
  /// section.
  func take(after position: Position, for waiter: Waiter) -> Taken<Found>

  /// Takes a consumer that was woken out of the list if it may still be in it.
  func leave(_ ticket: UInt64)
}

/// What `take(after:for:)` has found.
@usableFromInline
enum Taken<Found> {
  case found(Found)
  /// There is nothing, and never will be.
  case finished
  /// There is nothing now: the waiter is registered.
  case wait(ticket: UInt64)
}

extension Taken: Sendable where Found: Sendable {}

extension Waitable {
  /// Takes what is there after a position; waits if nothing is.
  ///
  /// A waiter may be rung late by whoever took it out of a list, so one whose consumer was cancelled
  /// is not used again.
  ///
  /// - Parameters:
  ///   - position: What the consumer has seen.
  ///   - waiter: The consumer's waiter.
  ///   - isolation: The consumer's isolation, on which this method runs.
  /// - Returns: What was found; `nil` at the end, or when the task is cancelled.
  @inlinable @inline(never)
  func next(
    after position: Position, as waiter: Waiter, isolation: isolated (any Actor)?
  ) async -> Found? {
    while !Task.isCancelled {
      waiter.reset()
      switch take(after: position, for: waiter) {
      case .found(let found): return found
      case .finished: return nil
      case .wait(let ticket):
        await waiter.wait(isolation: isolation)
        leave(ticket)
      }
    }
    return nil
  }
}
