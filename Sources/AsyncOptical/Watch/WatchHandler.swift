/// What a watching does with a value.
protocol WatchHandler<Value>: Sendable {
  /// What is delivered.
  associatedtype Value: Sendable

  /// Whether it works on an object that it does not keep alive.
  var mayLoseObject: Bool { get }

  /// Whether there is still somebody to deliver to; asked on the handler's isolation.
  var isWanted: Bool { get }

  /// Calls the handler of the user.
  ///
  /// - Parameters:
  ///   - value: What is delivered.
  ///   - isolation: The isolation of the user's handler, which is not left before the call.
  /// - Returns: `false` where there is nobody to deliver to any more.
  func handle(_ value: Value, isolation: isolated (any Actor)?) async -> Bool
}

/// A handler on its own.
struct PlainHandler<Value: Sendable>: WatchHandler {
  let body: @isolated(any) @Sendable (Value) async -> Void

  var mayLoseObject: Bool { false }
  var isWanted: Bool { true }

  func handle(_ value: Value, isolation: isolated (any Actor)?) async -> Bool {
    await body(value)
    return true
  }
}

/// A handler that works on an object, which it does not keep alive.
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
