/// Who handles the messages of a mailbox.
@usableFromInline
package protocol MailHandler<Holder, Mail>: AnyObject, Sendable {
  /// The actor that the messages are for.
  associatedtype Holder: Actor
  /// What is sent.
  associatedtype Mail: Sendable

  /// Handles a message.
  ///
  /// - Parameters:
  ///   - message: What was sent.
  ///   - runner: Who works for this message alone once the handler has suspended.
  ///   - holder: The actor.
  func handle(_ message: Mail, by runner: Runner, on holder: isolated Holder) async

  /// Hears that a runner handles no message any more.
  func runnerHasEnded()
}
