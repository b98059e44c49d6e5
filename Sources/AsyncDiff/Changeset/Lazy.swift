import Synchronization

/// A value that is computed at its first use and shared by copies of its owner.
@usableFromInline
final class Lazy<Value: Sendable>: Sendable {
  private let state = Mutex<Value?>(nil)

  @usableFromInline
  init() {}

  /// The value; two concurrent first uses both compute it.
  func value(_ find: () -> Value) -> Value {
    if let value = state.withLock({ $0 }) { return value }
    let value = find()
    state.withLock { $0 = value }
    return value
  }
}
