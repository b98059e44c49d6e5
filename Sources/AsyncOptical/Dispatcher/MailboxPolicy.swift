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
  /// Keeps at most this many, and drops what is sent beyond them.
  case oldest(Int)
  /// Keeps at most this many; a message beyond them drops the oldest one, first of those whose policy
  /// was not looked at yet.
  case newest(Int)
}
