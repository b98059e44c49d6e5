/// A task that waits, as an object: a run's state keeps a fixed layout, and to ask for it costs nothing.
final class Parked: Sendable {
  private let continuation: CheckedContinuation<Void, Never>

  init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

  func resume() { continuation.resume() }
}
