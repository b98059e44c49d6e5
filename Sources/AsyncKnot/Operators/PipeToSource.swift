// What is not piped into: the compiler shows what to write instead.
extension AsyncSequence where Self: Sendable {
  /// Is refused: only a `StateHolder` is written from outside.
  @available(
    *, unavailable,
    message:
      "only a StateHolder can be piped into; write 'send(to:in:)' for a binder, of commands, and for a data source 'pipe(to:in:) { element, snapshot in … }'"
  )
  public func pipe<Source: StateSource>(to source: Source) async throws(Failure) {}

  /// Is refused: only a `StateHolder` is written from outside.
  @available(
    *, unavailable,
    message:
      "only a StateHolder can be piped into; write 'send(to:in:)' for a binder, of commands, and for a data source 'pipe(to:in:) { element, snapshot in … }'"
  )
  public func pipe<Source: StateSource>(to source: Source, in bag: TaskBag) {}
}
