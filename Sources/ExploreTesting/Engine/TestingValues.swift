private import ExploreTestingRuntime

/// The task-local values by which the testing library assigns an issue to a test.
struct TestingValues: Sendable {
  private let values: [any BoundValue]

  /// The values of the current task.
  static var current: TestingValues {
    var keys = unsafe [UnsafeRawPointer?](repeating: nil, count: 64)
    let count = unsafe keys.withUnsafeMutableBufferPointer {
      unsafe knot_testing_keys($0.baseAddress.unsafelyUnwrapped, $0.count)
    }
    let objects = unsafe keys.prefix(count).compactMap {
      unsafe $0.map { unsafe Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
    }
    return TestingValues(values: objects.compactMap { ($0 as? any Local)?.bound })
  }

  /// Runs `body` with the values.
  func apply(_ body: @escaping @Sendable () async -> Void) async {
    var all = body
    for value in values {
      let inner = all
      all = { await value.apply(inner) }
    }
    await all()
  }
}

/// A key of task-local values of any type.
private protocol Local {
  /// The key with its value in the current task.
  var bound: any BoundValue { get }
}

private protocol BoundValue: Sendable {
  func apply(_ body: @Sendable () async -> Void) async
}

extension TaskLocal: Local {
  fileprivate var bound: any BoundValue { Bound(local: self, value: get()) }

  private struct Bound: BoundValue {
    let local: TaskLocal
    let value: Value
    func apply(_ body: @Sendable () async -> Void) async {
      await local.withValue(value, operation: body)
    }
  }
}
