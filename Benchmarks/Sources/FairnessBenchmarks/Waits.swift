import Synchronization

/// The times that another caller waits while a load runs.
struct Waits {
  let sorted: [Duration]

  var worst: Duration { sorted.last ?? .zero }
  var median: Duration { sorted.isEmpty ? .zero : sorted[sorted.count / 2] }

  /// Calls `call` repeatedly, with pauses of a millisecond, while a load runs, and measures how long each call takes.
  ///
  /// - Parameters:
  ///   - load: Returns when the load has ended.
  ///   - call: Calls the loaded actor. The optimizer must not be able to remove the call.
  /// - Returns: The duration of each call.
  static func during(
    _ load: @escaping @Sendable () async -> Void, call: @escaping @Sendable () async -> Void
  ) async -> Waits {
    let measured = Measured()
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await load()
        return true
      }
      group.addTask(priority: .high) {
        try? await Task.sleep(for: .milliseconds(3))
        while !Task.isCancelled {
          let start = ContinuousClock.now
          await call()
          let wait = start.duration(to: .now)
          measured.waits.withLock { $0.append(wait) }
          try? await Task.sleep(for: .milliseconds(1))
        }
        return false
      }
      while await group.next() == false {}
      group.cancelAll()
    }
    return Waits(sorted: measured.waits.withLock { $0.sorted() })
  }

  private final class Measured: Sendable {
    let waits = Mutex<[Duration]>([])
  }
}

/// A sequence of numbers whose iterator never suspends.
struct Ready: AsyncSequence, Sendable {
  typealias Failure = Never
  let count: Int

  struct AsyncIterator: AsyncIteratorProtocol {
    var next = 0
    let count: Int

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      guard next < count else { return nil }
      next += 1
      return next
    }

    nonisolated(nonsending) mutating func next() async -> Int? { await next(isolation: #isolation) }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(count: count) }
}

/// Keeps the thread busy for a duration, as drawing would.
@inline(never)
func draw(for duration: Duration) {
  let end = ContinuousClock.now.advanced(by: duration)
  while ContinuousClock.now < end {}
}
