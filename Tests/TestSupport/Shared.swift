package import Synchronization

/// A value that tasks share.
///
/// If the value is an optional object, a test can hold the only reference to the object here, and release the object.
package final class Shared<Value: Sendable>: Sendable {
  package let mutex: Mutex<Value>

  package init(_ value: Value) { mutex = Mutex(value) }

  package var value: Value {
    get { mutex.withLock { $0 } }
    set { mutex.withLock { $0 = newValue } }
  }
}
