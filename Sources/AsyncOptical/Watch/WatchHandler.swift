/// Handles the values of a watching.
protocol WatchHandler<Value>: Sendable {
  /// The type of the values.
  associatedtype Value: Sendable

  /// Whether the handler works on an object that it holds weakly.
  var mayLoseObject: Bool { get }

  /// Whether the handler's object is still there; to be read on the handler's isolation.
  var isWanted: Bool { get }

  /// Calls the user's handler.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - isolation: The isolation of the user's handler, which is not left before the call.
  /// - Returns: `false` if the handler's object is gone.
  func handle(_ value: Value, isolation: isolated (any Actor)?) async -> Bool
}

/// A handler without an object.
struct PlainHandler<Value: Sendable>: WatchHandler {
  let body: @isolated(any) @Sendable (Value) async -> Void

  var mayLoseObject: Bool { false }
  var isWanted: Bool { true }

  func handle(_ value: Value, isolation: isolated (any Actor)?) async -> Bool {
    await body(value)
    return true
  }
}

/// A handler that works on an object, which it holds weakly.
struct ObjectHandler<Object: AnyObject & Sendable, Value: Sendable>: WatchHandler {
  private let reference: WeakReference<Object>
  private let body: @isolated(any) @Sendable (Object, Value) async -> Void

  init(
    _ object: Object, _ body: @escaping @isolated(any) @Sendable (Object, Value) async -> Void
  ) {
    reference = WeakReference(object)
    self.body = body
  }

  var mayLoseObject: Bool { true }
  var isWanted: Bool { reference.object != nil }

  func handle(_ value: Value, isolation: isolated (any Actor)?) async -> Bool {
    guard let object = reference.object else { return false }
    await body(object, value)
    return true
  }
}
