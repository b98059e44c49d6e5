internal import Synchronization

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Calls a handler with each element, on the isolation of its closure, one at a time and in order.
  ///
  /// <!-- sample: @MainActor func show(_ title: String) {} -->
  /// ```swift
  /// let titles = node.states.map(\.title).live(in: bag) { title in show(title) }
  /// titles.cancel()
  /// ```
  /// The first element is taken before the call returns: of `states` that is the current one. The
  /// calls end with this sequence, with its error, with the bag, or with the entry's `cancel()`, also
  /// those made in a dispatch that is superseded. None begins after a `cancel()` has returned on the
  /// handler's isolation. A handler sees the task-local values of the code that calls `live`, and what
  /// it captures is released on its isolation.
  @discardableResult
  public func live(
    in bag: TaskBag,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Element) async -> Void,
    onError: @escaping @Sendable (Failure) -> Void = { _ in }
  ) -> TaskBag.Entry {
    startLive(in: bag, handler, onError: onError)
  }

  /// Calls a handler with a main-actor object that is not kept alive, and each element.
  ///
  /// <!-- sample: @MainActor final class Label { var text = "" }; let label = Label() -->
  /// ```swift
  /// node.states.live(with: label, in: bag) { label, state in label.text = state.title }
  /// ```
  /// It is `live(in:)` for views, and ends, too, at the next element after the object is gone, or soon
  /// after other objects were given to this method. The object is released on the main actor.
  @MainActor @discardableResult
  public func live<Object: AnyObject & Sendable>(
    with object: Object, in bag: TaskBag,
    _ handler: @escaping @MainActor (Object, Element) async -> Void,
    onError: @escaping @Sendable (Failure) -> Void = { _ in }
  ) -> TaskBag.Entry {
    defer { bag.sweep() }
    return startLive(
      in: bag,
      { @MainActor [weak object] element in
        guard let object else { return unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        await handler(object, element)
      }, onError: onError, orUntil: { [weak object] in object == nil })
  }

  /// Takes the first element on the calling thread, if it is there at once, then hands over to a loop on
  /// the handler's isolation.
  ///
  /// These are two tasks: in the first, which prefers an executor, each hop to an actor is a suspension.
  private func startLive(
    in bag: TaskBag, _ handler: @escaping @isolated(any) @Sendable (Element) async -> Void,
    onError: @escaping @Sendable (Failure) -> Void, orUntil isOver: (@MainActor () -> Bool)? = nil
  ) -> TaskBag.Entry {
    let home = handler.isolation
    return Errand.none {
      let (beginning, firstStep) = Spawn.held { await LiveLoop(self) }
      let entry = bag.add(on: home, orUntil: isOver) {
        do throws(Failure) {
          try await LiveLoop.deliver(beginning, to: handler, on: home)
        } catch {
          onError(error)
        }
      }
      firstStep.run()
      return entry
    }
  }
}

/// The loop of a handler: the first element of its sequence, and the iterator for the others.
private final class LiveLoop<Elements: AsyncSequence & Sendable>: Sendable
where Elements.Element: Sendable {
  typealias First = Result<Elements.Element?, Elements.Failure>

  private let value: Mutex<(first: First, rest: Elements.AsyncIterator)?>

  init(_ elements: Elements) async {
    var rest = elements.makeAsyncIterator()
    do throws(Elements.Failure) {
      let first = try await rest.next(isolation: nil)
      value = Mutex((.success(first), rest))
    } catch {
      value = Mutex((.failure(error), rest))
    }
  }

  private func take() -> sending (first: First, rest: Elements.AsyncIterator)? {
    value.withLock { $0.take() }
  }

  /// Calls a handler, which is on this isolation: no suspension lies between the look at the cancellation
  /// and the call.
  static func deliver(
    _ beginning: Task<LiveLoop, Never>,
    to handler: @isolated(any) @Sendable (Elements.Element) async -> Void,
    on isolation: isolated (any Actor)?
  ) async throws(Elements.Failure) {
    let begun = await withTaskCancellationHandler {
      await beginning.value
    } onCancel: {
      beginning.cancel()
    }
    guard let (first, rest) = begun.take() else { return }
    var (next, iterator, slice) = (try first.get(), rest, Slice())
    if Task.isCancelled { return }
    while let element = next {
      await handler(element)
      if slice.isOver() { await Slice.giveWay() }
      next = try await iterator.nextUnlessCancelled(isolation: isolation)
    }
  }
}
