public import AsyncKnot

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Sends every element to an opticle or a binder, in a task of a bag that does not keep the
  /// receiver alive.
  ///
  /// ```swift
  /// taps.subscribe().map { SearchBinder.Command.tap }.send(to: binder, in: bag)
  /// ```
  /// The task ends with this sequence, with its error, with the bag, or when the receiver goes.
  @discardableResult
  public func send<Receiver: Dispatcher>(
    to receiver: Receiver, in bag: TaskBag,
    onError: @escaping @Sendable (Failure) -> Void = { _ in }
  ) -> TaskBag.Entry where Element == Receiver.Dispatched {
    startLoop(for: receiver, in: bag, onError: onError) { _, receiver, element in
      receiver.send(element)
    }
  }
}
