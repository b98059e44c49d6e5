public import Synchronization

/// A consumer that waits for news; whoever has some, or cancels it, rings it.
///
/// It is put into one list or several in the critical section in which it found nothing (S5).
///
/// Ringing takes no lock: a cancellation may come from a reducer.
@usableFromInline
final class Waiter: Wakeable {
  @usableFromInline typealias Continuation = UnsafeContinuation<Void, Never>

  /// `silent`, `rung`, or the continuation of the suspended consumer.
  @usableFromInline let word = Atomic<UInt>(0)

  @usableFromInline static var silent: UInt { 0 }
  @usableFromInline static var rung: UInt { 1 }

  @usableFromInline init() {}

  /// Forgets that it was rung, before it is put into a list.
  @inlinable func reset() { word.store(Self.silent, ordering: .relaxed) }

  /// Wakes the consumer, or keeps it from suspending; under no lock that a cancellation handler takes.
  @inlinable
  func ring() {
    let old = word.exchange(Self.rung, ordering: .acquiringAndReleasing)
    if old > Self.rung { unsafe unsafeBitCast(old, to: Continuation.self).resume() }
  }

  /// Keeps the continuation to resume, or resumes it if the consumer was rung before it suspended.
  @inlinable
  func suspend(_ continuation: Continuation) {
    // A continuation is one pointer, which is neither 0 nor 1.
    let (isKept, _) = word.compareExchange(
      expected: Self.silent, desired: unsafe unsafeBitCast(continuation, to: UInt.self),
      ordering: .acquiringAndReleasing)
    if !isKept { unsafe continuation.resume() }
  }

  func wait(isolation: isolated (any Actor)?) async {
    Spawn.preemptionPoint()
    await withTaskCancellationHandler {
      unsafe await withUnsafeContinuation(isolation: isolation) { unsafe suspend($0) }
    } onCancel: {
      ring()
    }
  }
}

@usableFromInline
protocol Waitable: Sendable {
  /// What a consumer has seen.
  associatedtype Position
  associatedtype Found

  /// Takes what is there after a position, or registers a waiter in the same critical section.
  func take(after position: Position, for waiter: Waiter) -> Taken<Found>

  /// Takes a cancelled consumer out of the list; whoever woke another one has taken that out.
  func leave(_ ticket: UInt64)
}

@usableFromInline
enum Taken<Found> {
  case found(Found)
  /// There is nothing, and never will be.
  case finished
  case wait(ticket: UInt64)
}

extension Waitable {
  /// Waits for what is there after a position; returns `nil` at the end, or when the task is cancelled.
  ///
  /// After each wait it is decided once whether the task is cancelled. A consumer that is takes nothing
  /// and hands its wake-up on; any other one looks again, though it may be cancelled meanwhile. A waiter
  /// may be rung late by whoever took it out of a list: after `nil` it is not used again.
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
        // Written out: with the frame of `wait` a waiting task would need a second piece of stack.
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
