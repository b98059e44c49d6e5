/// Handles the messages of a mailbox.
@usableFromInline
package protocol MailHandler<Holder, Mail>: AnyObject, Sendable {
  /// The actor on which the messages are handled.
  associatedtype Holder: Actor
  /// The type of the messages.
  associatedtype Mail: Sendable

  /// Handles one message on the actor.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - runner: The runner that called this method. Once the handler has suspended, the runner
  ///     works for this message alone.
  ///   - holder: The actor.
  func handle(_ message: Mail, by runner: Runner, on holder: isolated Holder) async

  /// Called on the actor when a runner stops and handles no further message.
  func runnerHasEnded()
}
