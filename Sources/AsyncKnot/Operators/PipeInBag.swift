extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Reduces every event into a holder's state, in a task of a bag that does not keep the holder alive.
  ///
  /// ```swift
  /// ticks.pipe(to: node, in: node.bag) { tick, state in state.count = tick }
  /// ```
  ///
  /// The task ends with this sequence, with its error, with the bag, or at the first event after the
  /// holder has gone.
  ///
  /// - Parameters:
  ///   - holder: Whose state is reduced; it is held weakly.
  ///   - bag: What ends the task.
  ///   - reduce: Brings one event into the state, in place, in one step.
  ///   - onError: Hears of this sequence's error; the state keeps its last value.
  /// - Returns: The entry that ends this pipe alone.
  @inlinable
  @discardableResult
  public func pipe<Holder: StateHolder>(
    to holder: Holder, in bag: TaskBag,
    _ reduce: @escaping @Sendable (Element, inout Holder.State) -> Void,
    onError: @escaping @Sendable (Failure) -> Void = { _ in }
  ) -> TaskBag.Entry {
    bag.add { [weak holder] in
      do throws(Failure) {
        var iterator = self.makeAsyncIterator()
        while let event = try await iterator.next(isolation: nil), !Task.isCancelled {
          guard let holder else { return }
          await holder.reduce { reduce(event, &$0) }
        }
      } catch {
        onError(error)
      }
    }
  }

  /// Makes every element the holder's state, in a task of a bag that does not keep the holder alive.
  ///
  /// - Parameters:
  ///   - holder: Whose state is written; it is held weakly.
  ///   - bag: What ends the task.
  /// - Returns: The entry that ends this pipe alone.
  @inlinable
  @discardableResult
  public func pipe<Holder: StateHolder>(to holder: Holder, in bag: TaskBag) -> TaskBag.Entry
  where Element == Holder.State {
    pipe(to: holder, in: bag) { $1 = $0 }
  }
}
