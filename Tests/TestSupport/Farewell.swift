/// Calls a closure when this object is deallocated.
package final class Farewell: Sendable {
  private let call: @Sendable () -> Void

  package init(_ call: @escaping @Sendable () -> Void) { self.call = call }

  deinit { call() }
}
