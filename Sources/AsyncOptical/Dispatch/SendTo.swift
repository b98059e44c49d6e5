public import AsyncKnot

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Sends every element to an opticle or a binder, in a task of a bag that does not keep it alive.
  ///
  /// ```swift
  /// taps.subscribe().map { SearchBinder.Command.tap }.send(to: binder, in: bag)
  /// ```
  /// The task ends with this sequence, with its error, with the bag, or at the first element after the
  /// receiver has gone. An element is a request or a command, and obeys its policy.
  ///
  /// - Parameters:
  ///   - receiver: Who is sent the elements; it is held weakly.
  ///   - bag: What ends the task.
  ///   - onError: Hears of this sequence's error.
  /// - Returns: The entry that ends this alone.
  @discardableResult
  public func send<Receiver: Dispatcher>(
    to receiver: Receiver, in bag: TaskBag,
    onError: @escaping @Sendable (Failure) -> Void = { _ in }
  ) -> TaskBag.Entry where Element == Receiver.Dispatched {
    Dispatch.unbound {
      bag.add { [weak receiver] in
        var slice = Slice()
        do throws(Failure) {
          var iterator = self.makeAsyncIterator()
          while let element = try await iterator.next(isolation: nil), !Task.isCancelled {
            guard let receiver else { return }
            receiver.send(element)
            if slice.isOver() { await slice.giveWay() }
          }
        } catch {
          onError(error)
        }
      }
    }
  }
}
