internal import Synchronization

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Calls a handler with each element, on the isolation of its closure, one at a time and in order.
  ///
  /// <!-- sample: @MainActor func show(_ title: String) {} -->
  /// ```swift
  /// let control = node.states.map(\.title).live(in: bag) { title in show(title) }
  /// control.pause()
  /// control.resume()   // goes on with the newest
  /// ```
  /// The first element is taken before the call returns: of `states` that is the current one. The
  /// calls end with this sequence, with its error, with the bag, or with `cancel()`, also those made
  /// in a dispatch that is superseded. A handler sees the task-local values of the code that calls
  /// `live`, or `resume()`.
  ///
  /// - Parameters:
  ///   - bag: The bag that ends the calls when it is cancelled.
  ///   - handler: Called with each element; what it captures is released on its isolation.
  ///   - onError: Called with this sequence's error.
  /// - Returns: The control that pauses and ends these calls alone; it may be dropped.
  @discardableResult
  public func live(
    in bag: TaskBag,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Element) async -> Void,
    onError: @escaping @Sendable (Failure) -> Void = { _ in }
  ) -> LiveControl {
    let home = handler.isolation
    let loop = LiveLoop(LiveLoop.Parts(elements: self, handle: handler, onError: onError))
    let control = LiveControl(
      start: { loop.start(in: $0, after: $1, home: home) },
      release: {
        guard home != nil else { return loop.release(on: nil) }
        Spawn.task { await loop.release(on: home) }
      })
    control.begin(in: bag)
    return control
  }
}

/// The loop behind a control: it gives the elements of a sequence to a handler, which only code on the
/// handler's isolation reads or releases (S17).
private final class LiveLoop<Elements: AsyncSequence & Sendable>: Sendable
where Elements.Element: Sendable {
  struct Parts: Sendable {
    let elements: Elements
    let handle: @isolated(any) @Sendable (Elements.Element) async -> Void
    let onError: @Sendable (Elements.Failure) -> Void
  }

  private let parts: Mutex<Parts?>

  init(_ parts: Parts) { self.parts = Mutex(parts) }

  func release(on home: isolated (any Actor)?) {
    let parts = parts.withLock { $0.take() }
    withExtendedLifetime(parts) {}
  }

  func start(
    in epoch: LiveControl.Epoch, after last: Task<Void, Never>?, home: (any Actor)?
  ) -> (task: Task<Void, Never>, first: FirstStep) {
    let (taking, first) = Spawn.held { [self] () async -> Begun<Elements>? in
      guard let elements = parts.withLock({ $0?.elements }) else { return nil }
      return await Begun(elements)
    }
    let task = Spawn.task { [self] in
      let begun = await withTaskCancellationHandler {
        await taking.value
      } onCancel: {
        taking.cancel()
      }
      await last?.value
      do throws(Elements.Failure) {
        try await deliver(begun?.take(), in: epoch, isolation: home)
      } catch {
        parts.withLock({ $0?.onError })?(error)
      }
      epoch.end()
    }
    return (task, first)
  }

  private func deliver(
    _ begun: sending Begun<Elements>.Value?, in epoch: LiveControl.Epoch,
    isolation: isolated (any Actor)?
  ) async throws(Elements.Failure) {
    guard let (first, rest) = begun else { return }
    var (next, iterator) = (try first.get(), rest)
    var slice = Slice()
    while let element = next, await handle(element, in: epoch, isolation: isolation) {
      if slice.isOver() { await Slice.giveWay() }
      next = try await iterator.next(isolation: isolation)
    }
  }

  /// Calls the handler, unless the epoch is over: no suspension lies between the look and the call.
  private func handle(
    _ element: Elements.Element, in epoch: LiveControl.Epoch, isolation: isolated (any Actor)?
  ) async -> Bool {
    guard epoch.isCurrent, !Task.isCancelled, let handle = parts.withLock({ $0?.handle }) else {
      return false
    }
    await handle(element)
    return true
  }
}

/// The first element of a sequence, and the iterator for the others.
private final class Begun<Elements: AsyncSequence & Sendable>: Sendable {
  typealias Value = (first: Result<Elements.Element?, Elements.Failure>, Elements.AsyncIterator)

  private let value: Mutex<Value?>

  init(_ elements: Elements) async {
    var iterator = elements.makeAsyncIterator()
    do throws(Elements.Failure) {
      let first = try await iterator.next(isolation: nil)
      value = Mutex((.success(first), iterator))
    } catch {
      value = Mutex((.failure(error), iterator))
    }
  }

  func take() -> sending Value? { value.withLock { $0.take() } }
}
