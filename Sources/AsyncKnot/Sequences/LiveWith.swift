extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Calls a handler with a main-actor object that is not kept alive, and each element.
  ///
  /// <!-- sample: @MainActor final class Label { var text = "" }; let label = Label() -->
  /// ```swift
  /// node.states.live(with: label, in: bag) { label, state in label.text = state.title }
  /// ```
  /// It is `live(in:)` for views, and ends, too, at the next element after the object is gone, or soon
  /// after other objects were given to this method.
  ///
  /// - Parameters:
  ///   - object: The object that the handler works on, held weakly and released on the main actor.
  ///   - bag: The bag that ends the calls when it is cancelled; best one that ends with the object.
  ///   - handler: Called with the object and each element.
  ///   - onError: Called with this sequence's error.
  /// - Returns: The control that pauses and ends these calls alone; it may be dropped.
  @MainActor
  @discardableResult
  public func live<Object: AnyObject & Sendable>(
    with object: Object, in bag: TaskBag,
    _ handler: @escaping @MainActor (Object, Element) async -> Void,
    onError: @escaping @Sendable (Failure) -> Void = { _ in }
  ) -> LiveControl {
    let control = live(
      in: bag,
      { @MainActor [weak object] element in
        guard let object else { return unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        await handler(object, element)
      }, onError: onError)
    bag.lookAfter { [weak object, weak control] in
      if object == nil { control?.cancel() }
      return object == nil || control == nil
    }
    return control
  }
}
