internal import AsyncKnot

/// The states of a holder as an observer wants them: mapped, filtered, and live.
///
/// ```swift
/// feed.watch.map { $0.titles }.filter { $0.count > 10 }.live { titles in show(titles) }
/// for await titles in feed.watch.map(\.titles) { print(titles) }
/// ```
/// A watcher is a value. It registers nothing before it is iterated or made live; each iteration is
/// an observer of its own. An observer receives the current state at once, then newer ones in
/// order; a slow observer skips to the newest, unless the watcher was made with
/// `watch(buffering:)`. The watcher ends with the holder; a cancelled task receives `nil`.
public struct Watcher<Value: Sendable>: AsyncSequence, Sendable {
  /// What the sequence delivers.
  public typealias Element = Value
  /// It never fails.
  public typealias Failure = Never

  /// One observer's access to the values.
  struct Start: Sendable {
    /// The current value, unless it is filtered out.
    var current: Value?
    /// Returns the next value after `current`.
    var next: @Sendable (isolated (any Actor)?) async -> Value?
    /// Makes a waiting `next` return `nil`; `next` may be called again.
    var interrupt: @Sendable () -> Void
    /// Ends the observer: `next` returns `nil` from now on, also to a caller that waits.
    var end: @Sendable () -> Void
  }

  let start: @Sendable () -> Start
  let crowd: WatchCrowd

  /// Makes an observer, which begins with its first `next()`.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(start: start)
  }

  /// One observer.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let start: @Sendable () -> Start
    var begun: Start?

    /// The next value.
    ///
    /// - Parameter actor: The caller's isolation.
    /// - Returns: The value; `nil` when the holder is gone or the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      if let begun { return await begun.next(actor) }
      guard !Task.isCancelled else { return nil }
      let begun = start()
      self.begun = begun
      if let current = begun.current { return current }
      return await begun.next(actor)
    }

    /// The next value.
    nonisolated(nonsending) public mutating func next() async -> Value? {
      await next(isolation: #isolation)
    }
  }
}

@available(*, unavailable)
extension Watcher.AsyncIterator: Sendable {}
