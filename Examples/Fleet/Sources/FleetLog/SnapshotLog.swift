package import AsyncDiff

/// An engine that stores each list as a log, which is a named sequence of messages with one writer at a time.
///
/// An engine replaces a claim, appends under a claim, returns the heads of the logs, and reads the messages after a revision,
/// each in one atomic operation. Each method can throw an error of the engine, such as a lost connection, even if the engine has
/// carried out the operation.
package protocol SnapshotLog: Sendable {
  /// Starts an epoch of a log if no other writer has a claim.
  ///
  /// The epoch identifies the claim. A repeated call with the same epoch renews the claim.
  ///
  /// - Parameters:
  ///   - name: The log.
  ///   - epoch: An unused number below 2⁵³, chosen at random.
  ///   - old: The caller's own claim, which the new claim replaces.
  ///   - lease: The time without a heartbeat after which others may claim the log, on the engine's clock. If that
  ///     clock was set back since the last heartbeat, the lease restarts when a call notices it.
  /// - Returns: Whether the epoch was granted.
  /// - Throws: An error of the engine. The claim may have been granted.
  func claim(
    _ name: String, as epoch: UInt64, inPlaceOf old: UInt64?, lease: Duration
  ) async throws -> ClaimOutcome

  /// Appends a message if its epoch is current and its number is the next number, and renews the claim.
  ///
  /// A repeated call with the same message has no further effect.
  func append(_ message: LogMessage, to name: String) async throws -> AppendOutcome

  /// Renews a claim without a message.
  ///
  /// - Parameters:
  ///   - name: The log.
  ///   - epoch: The epoch of the claim.
  ///   - trouble: The reason why the writer cannot append, for readers of the log; `nil` if the writer can append.
  /// - Returns: Whether the claim is still valid. If it is not, the next append returns the reason.
  /// - Throws: An error of the engine. The claim may have been renewed.
  @discardableResult
  func renew(_ name: String, _ epoch: UInt64, trouble: String?) async throws -> Bool

  /// Stores the reason why an append fails, so that readers of the log can show it.
  ///
  /// The reason stays until an append, a claim, or a renewal without a `trouble` succeeds. This call does not renew the claim.
  func complain(_ name: String, _ epoch: UInt64, of trouble: String) async throws

  /// Releases a claim, so that the next writer does not have to wait.
  ///
  /// It is not an error if the claim was already lost.
  func release(_ name: String, _ epoch: UInt64) async throws

  /// Returns the heads of the logs, sorted by name.
  ///
  /// An invalid log does not affect other logs.
  func heads() async throws -> [LogHead]

  /// Returns the kept messages after a revision, in order.
  ///
  /// If the message that directly follows `revision` is no longer kept, the result begins with the next full snapshot. If no full
  /// snapshot follows either, the result begins with the next kept message, so at least one message is missing before it. If
  /// `revision` is `nil` or has another epoch, the result begins with the first full snapshot. The result may be partial, so call
  /// this method again until the result is empty. The result never contains messages up to `revision`.
  ///
  /// - Throws: ``UnreadableLog``, or an error of the engine.
  func messages(of name: String, since revision: SnapshotRevision?) async throws -> [LogMessage]

  /// Returns a sequence that delivers an element when a log may have changed.
  ///
  /// Elements can be lost or superfluous, so also poll.
  func bells() -> any AsyncSequence<Void, Never> & Sendable
}

/// An engine's response to a claim.
package enum ClaimOutcome: Equatable, Sendable {
  /// The epoch was granted, and contains only messages of the caller.
  case granted
  /// Another writer has the claim, which expires after this time unless that writer renews or releases it first.
  case taken(for: Duration)
}

/// An engine's response to an append.
package enum AppendOutcome: Equatable, Sendable {
  /// The message is in the log.
  case appended
  /// The log has another epoch, because another writer has the claim, or the log was deleted.
  case lost
  /// The log's revision is not the revision that the writer expects, for example because an older copy was restored.
  case elsewhere(SnapshotRevision)
}

/// A message of a log.
package struct LogMessage: Equatable, Sendable {
  /// The format that this program writes and reads.
  package static let format = 1
  /// The maximum length of a body in bytes.
  package static let limit = 4 << 20
  /// The number of messages from one full snapshot to the next.
  ///
  /// The first message is a full snapshot.
  package static let stride: UInt64 = 32
  /// The number of messages that are kept before a full snapshot.
  package static let retention: UInt64 = 64

  /// The revision that a follower reaches when it applies this message.
  package var revision: SnapshotRevision
  /// Whether the message is a full snapshot, with which a follower can start.
  package var isFull: Bool
  package var format = LogMessage.format
  package var body: Body

  package enum Body: Equatable, Sendable {
    /// A `SnapshotMessage` as JSON.
    case text(String)
    /// A body that exceeds the limit and was not read.
    ///
    /// The value is the length of the body in bytes.
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

/// The newest revision of a log, and the state of the log's writer.
package struct LogHead: Equatable, Sendable {
  package var name: String
  /// The revision of the newest message; its number is 0 if the epoch has no message yet.
  package var revision: SnapshotRevision
  /// Whether the writer has sent a heartbeat within its lease.
  package var isAlive: Bool
  /// The time since the last heartbeat, on the engine's clock.
  package var silence: Duration
  /// The reason why the writer cannot append, as reported by the writer.
  package var complaint: String?
  /// The reason why the log is invalid.
  ///
  /// If it is not `nil`, only the name is meaningful.
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

  /// Creates the head of an invalid log, with the reason why it is invalid.
  package init(name: String, trouble: String) {
    self.init(
      name: name, revision: SnapshotRevision(epoch: 0, number: 0), isAlive: false, silence: .zero)
    self.trouble = trouble
  }
}

/// The error that is thrown if the engine cannot read the messages of a log.
///
/// Only the log that the error names stops. Other logs continue.
package struct UnreadableLog: Error, CustomStringConvertible {
  package let description: String

  package init(_ name: String, _ reason: String) { description = "log \(name): \(reason)" }
}
