/// How many messages may wait for an actor, and which are dropped when there are more.
///
/// <!-- sample: actor Inbox { … } -->
/// ```swift
/// nonisolated var mailboxPolicy: MailboxPolicy { .newest(100) }
/// ```
/// A message waits from the call that sends it until a runner fetches it on the actor. A
/// cancellation by id is never dropped and does not count.
public enum MailboxPolicy: Sendable, Hashable {
  /// Every message is kept.
  case unbounded
  /// Keeps the oldest messages, at most this many; drops a message that is sent while the mailbox
  /// is full.
  case oldest(Int)
  /// Keeps the newest messages, at most this many; a message sent to a full mailbox drops the
  /// oldest one.
  case newest(Int)

  /// Traps if the bound is below 1.
  package func checkRoom() {
    switch self {
    case .oldest(let limit), .newest(let limit):
      precondition(limit >= 1, "MailboxPolicy: needs room for one message; got \(limit)")
    case .unbounded: break
    }
  }
}
