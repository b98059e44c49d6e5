/// How many messages may wait for an actor, and which are dropped where that is too many.
///
/// ```swift
/// nonisolated var mailboxPolicy: MailboxPolicy { .newest(100) }
/// ```
/// A message waits from when it is sent until it is looked at on the actor.
public enum MailboxPolicy: Sendable, Hashable {
  /// Every message is kept.
  case unbounded
  /// The oldest are kept; one that is sent while so many wait is dropped.
  case oldest(Int)
  /// The newest are kept; when one is sent while so many wait, the one that has waited longest is dropped.
  case newest(Int)

  /// Traps when a bounded mailbox has no room at all.
  package func checkRoom() {
    switch self {
    case .oldest(let limit), .newest(let limit):
      precondition(limit >= 1, "MailboxPolicy: needs room for one message; got \(limit)")
    case .unbounded: break
    }
  }
}
