/// A source whose state operators may write: the target of `pipe(to:)`.
///
/// An actor becomes a holder through ``StateActor``, with hooks through ``Knotable``; a main-actor
/// view through ``KnotableView``. All of them add a synchronous `reduce` for their own code.
///
/// Code that is generic over holders calls `await holder.reduce { … }`, which calls the hooks, too.
public protocol StateHolder<State>: StateSource {
  /// The actor on which the package releases its references to a holder; `nil` is anywhere.
  nonisolated static var home: (any Actor)? { get }

  /// Mutates the state in place, in one synchronous step on the holder.
  ///
  /// Any number of concurrent reductions lose no update. Reading or writing any holder inside the
  /// closure ends the program.
  ///
  /// - Parameter body: The reducer; its `inout` parameter is the state.
  /// - Returns: What the reducer returned.
  @discardableResult
  func reduce<R: Sendable>(_ body: @Sendable (inout State) -> R) async -> R

  /// Reduces every event of a sequence, in a loop on the holder that yields after each slice of events
  /// that were there at once.
  ///
  /// The method returns when the sequence ends; most sequences end when the task is cancelled. The
  /// caller keeps the holder alive for as long as the loop runs; `pipe(to:in:_:)` does not.
  ///
  /// - Parameters:
  ///   - events: The sequence whose events are reduced.
  ///   - reduce: Applies one event to the state, in place. What it returns is released after the
  ///     reduction; a value that it only replaces is released in it, where no holder may be used.
  /// - Throws: The sequence's own error; the state keeps its last value.
  func consume<Events: AsyncSequence & Sendable, Released: Sendable>(
    _ events: Events, _ reduce: @Sendable (Events.Element, inout State) -> Released
  ) async throws(Events.Failure)
}

extension StateHolder {
  /// `nil`: an actor may be released on any thread.
  public nonisolated static var home: (any Actor)? { nil }
}
