/// The message that the current task works for, as a task-local value.
///
/// A dispatch names the runner that handles the message. A message that another one may supersede
/// also has a number. A cancelled runner begins no further message and keeps the number of the one
/// that was cancelled, so the number shows whether the cancellation was meant for this message. All messages without a number share one `Dispatch` per
/// runner, because setting a task-local value for each would take a quarter of a message's time.
@usableFromInline
package struct Dispatch: Sendable {
  /// The task local that stores the current dispatch.
  @usableFromInline package static let local = TaskLocal<Dispatch?>(wrappedValue: nil)

  /// The dispatch that the current task belongs to; `nil` outside of any dispatch.
  ///
  /// Child tasks and unstructured tasks inherit it, detached tasks do not.
  @inlinable package static var current: Dispatch? { local.get() }

  /// The runner that handles the message.
  @usableFromInline package let runner: Runner
  /// The number of the message; 0 for messages that cannot be superseded.
  @usableFromInline let number: Int

  /// Creates a dispatch.
  ///
  /// - Parameters:
  ///   - runner: The runner that handles the message.
  ///   - number: The number of the message; 0 for a message that cannot be superseded.
  @inlinable
  package init(runner: Runner, number: Int = 0) {
    self.runner = runner
    self.number = number
  }

  /// Whether the message was superseded or cancelled before it ended.
  @inlinable package var isRevoked: Bool { runner.isRevoked(number) }

  /// Runs a body outside of the current dispatch, so that tasks which it starts do not belong to
  /// it.
  ///
  /// - Parameter body: What to run.
  /// - Returns: What the body returned.
  @inlinable
  package static func unbound<Result>(_ body: () -> Result) -> Result {
    guard current != nil else { return body() }
    return local.withValue(nil, operation: body)
  }
}
