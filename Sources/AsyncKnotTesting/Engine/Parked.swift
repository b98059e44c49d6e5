/// The continuation of a task that waits, in an object.
///
/// The layout of `CheckedContinuation` is known only at run time. As a part of `Explorer.State` it would make
/// the layout of the state unknown, too, and each access would look it up.
final class Parked: Sendable {
  private let continuation: CheckedContinuation<Void, Never>

  init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

  func resume() { continuation.resume() }
}
