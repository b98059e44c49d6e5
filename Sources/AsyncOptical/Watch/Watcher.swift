internal import AsyncKnot

/// The states of a holder as an observer wants them: mapped, filtered, and live.
///
/// ```swift
/// feed.watch.map { $0.titles }.filter { $0.count > 10 }.live { titles in show(titles) }
/// for await titles in feed.watch.map(\.titles) { print(titles) }
/// ```
/// A watcher is a value: nothing is registered before it is iterated or live, and each iteration is an
/// observer of its own. It delivers the current state at once, then newer ones in order; a slow observer
/// skips to the newest. It ends with the holder; a cancelled task gets `nil`.
public struct Watcher<Value: Sendable>: AsyncSequence, Sendable {
  /// What the sequence delivers.
  public typealias Element = Value
  /// It never fails.
  public typealias Failure = Never

  /// Gives the next value of one observer.
  typealias Pull = (isolated (any Actor)?) async -> Value?

  /// What an observer that begins now sees.
  struct Start: Sendable {
    /// The current value, unless it is filtered out.
    var current: Value?
    /// Gives the values after that.
    var makePull: @Sendable () -> Pull
  }

  let start: @Sendable () -> Start

  /// Delivers other values, made of each one.
  ///
  /// - Parameter transform: Makes the value to deliver.
  /// - Returns: A watcher of its own; this one stays as it is.
  public func map<Mapped: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Mapped
  ) -> Watcher<Mapped> {
    Watcher<Mapped> { [start] in
      let start = start()
      return Watcher<Mapped>.Start(current: start.current.map(transform)) {
        let pull = start.makePull()
        return { (actor: isolated (any Actor)?) in await pull(actor).map(transform) }
      }
    }
  }

  /// Delivers only some of the values.
  ///
  /// - Parameter isIncluded: Whether to deliver a value.
  /// - Returns: A watcher of its own; this one stays as it is.
  public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> Watcher {
    Watcher { [start] in
      let start = start()
      return Start(current: start.current.flatMap { isIncluded($0) ? $0 : nil }) {
        let pull = start.makePull()
        return { (actor: isolated (any Actor)?) in
          while let value = await pull(actor) {
            if isIncluded(value) { return value }
          }
          return nil
        }
      }
    }
  }

  /// Makes an observer, which begins with its first `next()`.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(start: start)
  }

  /// One observer.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let start: @Sendable () -> Start
    var pull: Pull?

    /// The next value, on the caller's isolation.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      if let pull { return await pull(actor) }
      guard !Task.isCancelled else { return nil }
      let start = start()
      let pull = start.makePull()
      self.pull = pull
      if let current = start.current { return current }
      return await pull(actor)
    }

    /// The next value.
    nonisolated(nonsending) public mutating func next() async -> Value? {
      await next(isolation: #isolation)
    }
  }
}

@available(*, unavailable)
extension Watcher.AsyncIterator: Sendable {}

extension StateSequence {
  /// The same states as a watcher.
  var watcher: Watcher<State> {
    Watcher {
      let (current, rest) = currentAndRest()
      return Watcher<State>.Start(current: current) {
        var states = rest()
        return { (actor: isolated (any Actor)?) in await states.next(isolation: actor) }
      }
    }
  }
}
