import AsyncKnot

/// Has the messages of a mailbox handled by a closure.
final class Handled<Holder: Actor, Mail: Sendable>: MailHandler {
  private let body: @Sendable (isolated Holder, Mail) async -> Void

  init(_ body: @escaping @Sendable (isolated Holder, Mail) async -> Void) { self.body = body }

  func handle(_ message: Mail, by runner: Runner, on holder: isolated Holder) async {
    await body(holder, message)
  }

  func runnerHasEnded() {}
}
