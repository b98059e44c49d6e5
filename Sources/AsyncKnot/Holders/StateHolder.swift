/// A source whose state operators may write: the target of `pipe(to:)`.
///
/// An actor becomes a holder through ``StateActor``, with hooks through ``Knotable``; a main-actor
/// view through ``KnotableView``. All of them add a synchronous `reduce` for their own code.
///
/// Code that is generic over holders calls `await holder.reduce { … }`, which calls the hooks, too.
public protocol StateHolder<State>: StateSource {
  /// Mutates the state in place, in one synchronous step on the holder.
  ///
  /// Any number of concurrent reductions lose no update. Reading or writing any holder inside the
  /// closure ends the program.
  @discardableResult func reduce<R: Sendable>(_ body: @Sendable (inout State) -> R) async -> R

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
  /// The actor on which the package releases its references to a holder; `nil` is anywhere.
  @usableFromInline nonisolated static var home: (any Actor)? {
    self is any KnotableView.Type ? MainActor.shared : nil
  }
}

/// An actor that holds a state and has no hooks.
///
/// ```swift
/// actor Session: StateActor {
///   let knot = Knot(SessionState())
/// }
/// ```
public protocol StateActor: Actor, StateHolder {
  /// What causes a change: nothing that is told. So an opticle or a binder, whose commits this
  /// `reduce` would bypass, cannot adopt the protocol, too.
  associatedtype ChangeCause = Never where ChangeCause == Never
}

extension StateActor {
  /// Mutates the state in place, in one synchronous step on the actor; a closure that uses any holder
  /// ends the program, as in ``StateHolder/reduce(_:)``.
  @inlinable @discardableResult
  public func reduce<R: Sendable>(_ body: @Sendable (inout State) -> R) -> R {
    knot.write(by: ObjectIdentifier(self), body)
  }

  /// Replaces the state and notifies the observers; the old state is released last.
  @inlinable
  public func sink(_ state: State) { knot.exchange(for: state, by: ObjectIdentifier(self)) }

  /// Reduces every event of a sequence; see ``StateHolder/consume(_:_:)``.
  @inlinable
  public func consume<Events: AsyncSequence & Sendable, Released: Sendable>(
    _ events: Events, _ reduce: @Sendable (Events.Element, inout State) -> Released
  ) async throws(Events.Failure) {
    let (core, holder) = (knot.core, ObjectIdentifier(self))
    try await events.forEachInSlices(on: self) { event in
      _ = core.write(by: holder, callsHooks: false) { reduce(event, &$0) }
    }
  }
}
