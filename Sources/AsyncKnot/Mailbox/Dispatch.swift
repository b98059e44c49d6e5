/// A message that is being carried out, as everything that its task starts sees it.
///
/// It names the runner that carries the message out. Messages that another one may supersede have a
/// number, too. A runner that is cancelled begins no other message, so the number tells whether the
/// cancellation was meant for this one. Messages without a number share one `Dispatch` a runner, because
/// setting a task-local value for each would take a quarter of a message's time.
@usableFromInline
package struct Dispatch: Sendable {
  @usableFromInline package static let local = TaskLocal<Dispatch?>(wrappedValue: nil)

  /// The dispatch that the current task belongs to: child tasks and unstructured tasks inherit it.
  @inlinable package static var current: Dispatch? { local.get() }

  @usableFromInline package let runner: Runner
  /// The number of the message; 0 for those that nothing supersedes.
  @usableFromInline let number: Int

  @inlinable
  package init(runner: Runner, number: Int = 0) {
    self.runner = runner
    self.number = number
  }

  /// Whether it was superseded or cancelled before it ended.
  @inlinable package var isRevoked: Bool { runner.isRevoked(number) }

  /// Runs a body whose tasks do not belong to the current dispatch.
  @inlinable
  package static func unbound<Result>(_ body: () -> Result) -> Result {
    guard current != nil else { return body() }
    return local.withValue(nil, operation: body)
  }
}
