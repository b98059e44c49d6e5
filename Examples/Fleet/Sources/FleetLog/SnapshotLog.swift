package import AsyncDiff

/// Stores lists, each as a sequence of messages under a name, with one writer at a time for each list.
///
/// An engine has four atomic operations: exchange a claim, append
/// with a claim, return the heads of the logs, and read the messages after a revision. Each may fail with an error
/// of the engine, such as a lost connection; it may have been carried out nevertheless.
package protocol SnapshotLog: Sendable {
  /// Begins an epoch of a log if no other writer has a claim; the epoch is the claim.
  ///
  /// A repeated call with the same epoch confirms the first one.
  ///
  /// - Parameters:
  ///   - name: The log.
  ///   - epoch: An unused number below 2⁵³, chosen at random.
  ///   - old: The caller's own claim, which the new one replaces.
  ///   - lease: The time without a heartbeat after which others may claim the log, on the engine's clock. If that
  ///     clock was set back since the last heartbeat, the lease restarts when a call notices it.
  /// - Returns: Whether the epoch was granted.
  /// - Throws: An error of the engine; the claim may have been granted.
  func claim(
    _ name: String, as epoch: UInt64, inPlaceOf old: UInt64?, lease: Duration
  ) async throws -> ClaimOutcome

  /// Appends a message if its epoch is current and its number is the next one; renews the claim.
  ///
  /// A repeated call with the same message confirms the first one.
  func append(_ message: LogMessage, to name: String) async throws -> AppendOutcome

  /// Renews a claim without a message.
  ///
  /// - Parameters:
  ///   - name: The log.
  ///   - epoch: The claim.
  ///   - trouble: Why the writer cannot append, for readers of the log; `nil` if nothing is wrong.
  /// - Returns: Whether the claim is still valid; if not, the next append says why.
  /// - Throws: An error of the engine; the claim may have been renewed.
  @discardableResult
  func renew(_ name: String, _ epoch: UInt64, trouble: String?) async throws -> Bool

  /// Stores why an append fails, for readers of the log, until an append succeeds; does not renew the claim.
  func complain(_ name: String, _ epoch: UInt64, of trouble: String) async throws

  /// Gives a claim back, so that the next writer does not have to wait. It is not an error if the claim was lost
  /// before.
  func release(_ name: String, _ epoch: UInt64) async throws

  /// Returns the heads of the logs, sorted by name. An invalid log does not affect other logs.
  func heads() async throws -> [LogHead]

  /// Returns the messages after a revision, in order, if they are still kept.
  ///
  /// If the next message is no longer kept, the result begins with the next full snapshot or, if there is none, with
  /// the next kept message, which will not fit. For `nil` or another epoch, it begins with the first full
  /// snapshot. The result may be partial: call again until it is empty. It contains no message up to the revision.
  ///
  /// - Throws: ``UnreadableLog``, or an error of the engine.
  func messages(of name: String, since revision: SnapshotRevision?) async throws -> [LogMessage]

  /// Returns a sequence with an element when a log may have changed. Elements may be lost or superfluous, so also poll.
  func bells() -> any AsyncSequence<Void, Never> & Sendable
}

/// The answer to a claim.
package enum ClaimOutcome: Equatable, Sendable {
  /// The epoch was granted, and contains only messages of the caller.
  case granted
  /// Another writer has the claim for at least this time.
  case taken(for: Duration)
}

/// The answer to an append.
package enum AppendOutcome: Equatable, Sendable {
  /// The message is in the log.
  case appended
  /// The log has another epoch, so another writer has the claim.
  case lost
  /// The log is not as the writer left it, for example because an older copy was restored.
  case elsewhere(SnapshotRevision)
}

/// A message of a log.
package struct LogMessage: Equatable, Sendable {
  /// The version that this program writes, and the newest that it reads.
  package static let format = 1
  /// The maximum length of a body in bytes.
  package static let limit = 4 << 20
  /// The number of messages from one full snapshot to the next; the first message is a full snapshot.
  package static let stride: UInt64 = 32
  /// The number of messages kept before a full snapshot.
  package static let retention: UInt64 = 64

  /// The revision that a follower reaches when it applies this message.
  package var revision: SnapshotRevision
  /// Whether the message is a full snapshot, with which a follower can begin.
  package var isFull: Bool
  package var format = LogMessage.format
  package var body: Body

  package enum Body: Equatable, Sendable {
    /// A `SnapshotMessage` in JSON.
    case text(String)
    /// A body beyond the limit, which was not read: its length in bytes.
    case tooLong(Int)
  }

  package init(
    _ revision: SnapshotRevision, isFull: Bool, format: Int = LogMessage.format, body: Body
  ) {
    self.revision = revision
    self.isFull = isFull
    self.format = format
    self.body = body
  }
}

/// The head of a log.
package struct LogHead: Equatable, Sendable {
  package var name: String
  /// The newest message; number 0 if the epoch has none yet.
  package var revision: SnapshotRevision
  /// Whether the writer sent a heartbeat within its lease.
  package var isAlive: Bool
  /// The time since the last heartbeat, on the engine's clock.
  package var silence: Duration
  /// Why the writer cannot append, as it has reported.
  package var complaint: String?
  /// Why the log is invalid; only the name then has a meaning.
  package var trouble: String?

  package init(
    name: String, revision: SnapshotRevision, isAlive: Bool, silence: Duration,
    complaint: String? = nil
  ) {
    self.name = name
    self.revision = revision
    self.isAlive = isAlive
    self.silence = silence
    self.complaint = complaint
  }

  /// An invalid log and the reason.
  package init(name: String, trouble: String) {
    self.init(
      name: name, revision: SnapshotRevision(epoch: 0, number: 0), isAlive: false, silence: .zero)
    self.trouble = trouble
  }
}

/// The engine has something under a log's name that is not a message.
///
/// Only the log with this name stops.
package struct UnreadableLog: Error, CustomStringConvertible {
  package let description: String

  package init(_ name: String, _ reason: String) { description = "log \(name): \(reason)" }
}
