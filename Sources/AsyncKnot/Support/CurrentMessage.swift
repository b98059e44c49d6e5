/// The message that the current task works for, identified by a token that AsyncOptical creates.
@usableFromInline
package enum CurrentMessage {
  /// The token, which child tasks and unstructured tasks inherit.
  @usableFromInline package static let local = TaskLocal<(any AnyObject & Sendable)?>(
    wrappedValue: nil)

  /// Runs `body` outside the current message, so that tasks started in `body` belong to no message.
  @inlinable
  package static func without<Result>(_ body: () -> Result) -> Result {
    guard local.get() != nil else { return body() }
    return local.withValue(nil, operation: body)
  }
}
