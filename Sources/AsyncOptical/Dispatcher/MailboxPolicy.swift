/// How many messages may wait for an actor, and which are dropped when there are more.
///
/// <!-- sample: actor Inbox { … } -->
/// ```swift
/// nonisolated var mailboxPolicy: MailboxPolicy { .newest(100) }
/// ```
/// A message waits from the call that sends it until it starts: for its turn, for another one of its
/// serial id, or for a clock. A cancellation by id is never dropped and does not count.
public enum MailboxPolicy: Sendable, Hashable {
  /// Every message is kept.
  case unbounded
  /// Keeps the oldest messages, at most this many; drops a message that is sent while the mailbox
  /// is full.
  case oldest(Int)
  /// Keeps the newest messages, at most this many; a message beyond them drops the oldest one, first
  /// of those whose policy was not looked at yet.
  case newest(Int)

  /// The bound.
  @usableFromInline var limit: Int? {
    switch self {
    case .oldest(let limit), .newest(let limit): limit
    case .unbounded: nil
    }
  }
}
