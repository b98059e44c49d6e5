public import AsyncKnot

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Sends every element to an opticle or a binder, in a task that belongs to a bag and does not keep the
  /// receiver alive.
  ///
  /// ```swift
  /// taps.subscribe().map { SearchBinder.Command.tap }.send(to: binder, in: bag)
  /// ```
  /// The task ends when this sequence ends or throws, when the bag is cancelled, or when the receiver is
  /// released.
  ///
  /// If this sequence throws, `onError` is called in the task; without `onError`, a debug build prints the first error of each
  /// type.
  @discardableResult
  public func send<Receiver: Dispatcher>(
    to receiver: Receiver, in bag: TaskBag,
    onError: @escaping @Sendable (Failure) -> Void = printUnhandled
  ) -> TaskBag.Entry where Element == Receiver.Dispatched {
    startLoop(for: receiver, in: bag, onError: onError) { _, receiver, element in
      await receiver.sendUnlessCancelled(element)
    }
  }
}

extension Dispatcher {
  /// Sends a message, unless code on this isolation has already cancelled the task (S21).
  fileprivate func sendUnlessCancelled(_ message: Dispatched) {
    if !Task.isCancelled { send(message) }
  }
}
