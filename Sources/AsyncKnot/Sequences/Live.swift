internal import Synchronization

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Calls a handler with each element, one at a time and in order, on the isolation of the closure.
  ///
  /// <!-- sample: @MainActor func show(_ title: String) {} -->
  /// ```swift
  /// let titles = node.states.map(\.title).live(in: bag) { title in show(title) }
  /// titles.cancel()
  /// ```
  /// An element that is immediately available, such as the current state of `states`, is taken before the call returns. The calls
  /// end when this sequence ends or throws, or when the bag or the entry is cancelled. If you call `live` in a dispatch, the
  /// calls continue when that dispatch is superseded. No call begins after a `cancel()` has returned on the handler's isolation.
  /// The handler sees the task-local values of the code that calls `live`. The captures of a main-actor handler are released on
  /// the main actor.
  ///
  /// If this sequence throws, `onError` is called on any thread; without `onError`, a debug build prints the first error of each
  /// type.
  @discardableResult
  public func live(
    in bag: TaskBag,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Element) async -> Void,
    onError: @escaping @Sendable (Failure) -> Void = printUnhandled
  ) -> TaskBag.Entry {
    startLive(in: bag, handler, onError: onError)
  }

  /// Calls a handler with a main-actor object and each element, without keeping the object alive.
  ///
  /// <!-- sample: @MainActor final class Label { var text = "" }; let label = Label() -->
  /// ```swift
  /// node.states.live(with: label, in: bag) { label, state in label.text = state.title }
  /// ```
  /// This method is `live(in:)` for views. After the object is released, the handler is removed when the next element
  /// arrives, or by one of the next calls of this method with the same bag. The object is released on the main actor.
  @MainActor @discardableResult
  public func live<Object: AnyObject & Sendable>(
    with object: Object, in bag: TaskBag,
    _ handler: @escaping @MainActor (Object, Element) async -> Void,
    onError: @escaping @Sendable (Failure) -> Void = printUnhandled
  ) -> TaskBag.Entry {
    defer { bag.sweep() }
    return startLive(
      in: bag,
      { @MainActor [weak object] element in
        guard let object else { return unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        await handler(object, element)
      }, onError: onError, orUntil: { [weak object] in object == nil })
  }

  /// Takes the first element on the calling thread, if that element is immediately available.
  ///
  /// A loop on the handler's isolation takes the other elements.
  ///
  /// The loop is a second task, because the first task has an executor preference and would therefore suspend at each hop to an
  /// actor.
  private func startLive(
    in bag: TaskBag, _ handler: @escaping @isolated(any) @Sendable (Element) async -> Void,
    onError: @escaping @Sendable (Failure) -> Void,
    orUntil ownerIsGone: (@MainActor () -> Bool)? = nil
  ) -> TaskBag.Entry {
    let home = handler.isolation
    return CurrentMessage.without {
      let (beginning, firstStep) = Spawn.held { await LiveLoop(self) }
      let entry = bag.add(on: home, orUntil: ownerIsGone) {
        await LiveLoop.deliver(beginning, to: handler, on: home, onError: onError)
      }
      firstStep.run()
      return entry
    }
  }
}

/// The first element of a handler's sequence, and the iterator over the later elements.
private final class LiveLoop<Elements: AsyncSequence & Sendable>: Sendable
where Elements.Element: Sendable {
  typealias First = Result<Elements.Element?, Elements.Failure>

  private let value: Mutex<(first: First?, rest: Elements.AsyncIterator)?>

  init(_ elements: Elements) async {
    var rest = elements.makeAsyncIterator()
    do throws(Elements.Failure) {
      let first = try await rest.next(isolation: nil)
      value = Mutex((.success(first), rest))
    } catch {
      value = Mutex((.failure(error), rest))
    }
  }

  private func take() -> sending (first: First?, rest: Elements.AsyncIterator)? {
    value.withLock { $0.take() }
  }

  /// Calls a handler with each element, and `onError` with the sequence's error, on the handler's own isolation, so that nothing
  /// suspends between the check for cancellation and the call.
  ///
  /// An element is released when its handler has returned, before the method waits for the next one.
  static func deliver(
    _ beginning: Task<LiveLoop, Never>,
    to handler: @isolated(any) @Sendable (Elements.Element) async -> Void,
    on isolation: isolated (any Actor)?, onError: (Elements.Failure) -> Void
  ) async {
    let begun = await withTaskCancellationHandler {
      await beginning.value
    } onCancel: {
      beginning.cancel()
    }
    guard !Task.isCancelled, var (first, iterator) = begun.take() else { return }
    do throws(Elements.Failure) {
      var (hasEnded, slice) = (true, Slice())
      if let element = try first.take()?.get() {
        await handler(element)
        hasEnded = false
      }
      guard !hasEnded else { return }
      while let element = try await iterator.nextUnlessCancelled(isolation: isolation) {
        await handler(element)
        if slice.isOver() { await Slice.yield() }
      }
    } catch {
      if !Task.isCancelled { onError(error) }
    }
  }
}
