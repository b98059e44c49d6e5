internal import AsyncKnot

/// The states of a holder as an observer wants them: mapped, filtered, and live.
///
/// ```swift
/// feed.watch.map { $0.titles }.filter { $0.count > 10 }.live { titles in show(titles) }
/// for await titles in feed.watch.map(\.titles) { print(titles) }
/// ```
/// A watcher is a value: nothing is registered before it is iterated or live, and each iteration is an
/// observer of its own. It delivers the current state at once, then newer ones in order; a slow observer
/// skips to the newest, unless the watcher was made with `watch(buffering:)`. It ends with the holder; a
/// cancelled task gets `nil`.
public struct Watcher<Value: Sendable>: AsyncSequence, Sendable {
  /// What the sequence delivers.
  public typealias Element = Value
  /// It never fails.
  public typealias Failure = Never

  /// What an observer that begins now sees.
  struct Start: Sendable {
    /// The current value, unless it is filtered out.
    var current: Value?
    /// Gives the next value after that.
    var next: @Sendable (isolated (any Actor)?) async -> Value?
    /// Has somebody who waits in `next` get `nil`, and go on after that.
    var interrupt: @Sendable () -> Void
    /// Has `next` return `nil`, also where somebody waits for it.
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

    /// The next value, on the caller's isolation.
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
