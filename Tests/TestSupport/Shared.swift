package import Synchronization

/// A value that tasks share, or the only reference to an object.
package final class Shared<Value: Sendable>: Sendable {
  package let mutex: Mutex<Value>

  package init(_ value: Value) { mutex = Mutex(value) }

  package var value: Value {
    get { mutex.withLock { $0 } }
    set { mutex.withLock { $0 = newValue } }
  }
}
