public import Synchronization

/// A message at work, as a token: whether what its tasks write late is dropped (O4).
///
/// The messages that no policy concerns share one for each runner: a task-local value for each would
/// take a quarter of a message's time.
@usableFromInline
package final class Errand: Sendable {
  /// The errand of the current task, which child tasks and unstructured tasks inherit.
  @usableFromInline package static let local = TaskLocal<Errand?>(wrappedValue: nil)

  /// The number of the holder that handles the message, which no other holder ever has.
  @usableFromInline package let holder: Int
  @usableFromInline let revoked = Atomic(false)

  @usableFromInline
  package init(for holder: Int) { self.holder = holder }

  /// Whether the message was superseded or cancelled before it ended.
  @inlinable package var isRevoked: Bool { revoked.load(ordering: .acquiring) }

  /// Makes what the message's tasks write from now on count for nothing.
  @usableFromInline
  package func revoke() { revoked.store(true, ordering: .releasing) }

  /// Runs a body outside of the current message: tasks that it starts belong to none.
  @inlinable
  package static func none<Result>(_ body: () -> Result) -> Result {
    guard local.get() != nil else { return body() }
    return local.withValue(nil, operation: body)
  }
}
