package import AsyncDiff

/// Keeps lists, each as a row of messages under one name, and lets one writer at a time append to each.
///
/// An engine has to do four things, each of them in one step for all who look: exchange a claim, append
/// under a claim, say where the logs are, and read what leads on from a revision. Each may fail with an error
/// of the engine, for instance because the connection is gone; then it may have been done nevertheless.
package protocol SnapshotLog: Sendable {
  /// Begins an epoch of a log, if nobody else has a claim to it; that epoch is the claim.
  ///
  /// To ask again for the same epoch is no second claim: it tells that the first was granted.
  ///
  /// - Parameters:
  ///   - name: The log.
  ///   - epoch: A number below 2⁵³ that was never used: draw it by lot.
  ///   - old: A claim of the caller's own, in whose place the new one comes.
  ///   - lease: After how long a silence of the writer others may claim the log, on the engine's clock. If that
  ///     was set back since the last sign, the lease counts from when somebody notices it.
  /// - Returns: Whether the epoch is the log's.
  /// - Throws: An error of the engine; the claim may have been granted.
  func claim(
    _ name: String, as epoch: UInt64, inPlaceOf old: UInt64?, lease: Duration
  ) async throws -> ClaimOutcome

  /// Appends a message, if its epoch is the log's and its number the next one; renews the claim.
  ///
  /// To append the same message again is no second message: it tells that the first one is there.
  func append(_ message: LogMessage, to name: String) async throws -> AppendOutcome

  /// Renews a claim without a message.
  ///
  /// - Parameters:
  ///   - name: The log.
  ///   - epoch: The claim.
  ///   - trouble: Why what there is cannot be appended, for those who look at the log; nil if nothing is wrong.
  /// - Returns: Whether the claim is still the log's; if not, the next append will tell.
  /// - Throws: An error of the engine; the claim may have been renewed.
  @discardableResult
  func renew(_ name: String, _ epoch: UInt64, trouble: String?) async throws -> Bool

  /// Says why an append fails, for those who look at the log, until one succeeds. It does not renew the claim.
  func complain(_ name: String, _ epoch: UInt64, of trouble: String) async throws

  /// Gives a claim back: the next writer need not wait. That it was lost before is no error.
  func release(_ name: String, _ epoch: UInt64) async throws

  /// Where each log is, by name; one that makes no sense keeps no other from being read.
  func heads() async throws -> [LogHead]

  /// What leads on from a revision, in order: the messages after it, as far as they are kept.
  ///
  /// If the next one is not kept, they begin with the full snapshot after it; if there is none, with the message
  /// after it, which will not fit. For a revision of another epoch, or none, they begin with the first full
  /// snapshot. It may be a part: ask on until nothing comes. No message is one that the revision has.
  ///
  /// - Throws: ``UnreadableLog``, or an error of the engine.
  func messages(of name: String, since revision: SnapshotRevision?) async throws -> [LogMessage]

  /// Rings when a log may have changed. Bells may be lost, and ring for nothing: look now and then anyway.
  func bells() -> any AsyncSequence<Void, Never> & Sendable
}

/// What a claim is answered with.
package enum ClaimOutcome: Equatable, Sendable {
  /// The epoch is the log's, and nothing is in it that the caller has not appended.
  case granted
  /// Somebody else has it, for so long at least.
  case taken(for: Duration)
}

/// What an append is answered with.
package enum AppendOutcome: Equatable, Sendable {
  /// The message is in the log, since now or before.
  case appended
  /// The log has another epoch: somebody else writes.
  case lost
  /// The log is not where the writer has left it, for instance because an older copy was restored.
  case elsewhere(SnapshotRevision)
}

/// A message as a log keeps it.
package struct LogMessage: Equatable, Sendable {
  /// What this program writes, and the newest that it reads.
  package static let format = 1
  /// A longer body is neither written nor read, in bytes.
  package static let limit = 4 << 20
  /// Each so many messages there is a full snapshot, beginning with the first one.
  package static let stride: UInt64 = 32
  /// So many messages are kept behind a full snapshot.
  package static let retention: UInt64 = 64

  /// What a follower has after it.
  package var revision: SnapshotRevision
  /// Whether it is a full snapshot: a follower that has nothing can begin here.
  package var isFull: Bool
  package var format = LogMessage.format
  package var body: Body

  package enum Body: Equatable, Sendable {
    /// A `SnapshotMessage` in JSON.
    case text(String)
    /// One beyond the limit, which was left where it is: its length in bytes.
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

/// Where a log is.
package struct LogHead: Equatable, Sendable {
  package var name: String
  /// The newest message; number 0 where the epoch has none yet.
  package var revision: SnapshotRevision
  /// Whether its writer has given a sign within its lease.
  package var isAlive: Bool
  /// The time since that sign, on the engine's clock.
  package var silence: Duration
  /// Why its writer cannot append, as that has said.
  package var complaint: String?
  /// Why the engine has no sense of where it is: then nothing but the name counts.
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

  /// A log that cannot be read, and why.
  package init(name: String, trouble: String) {
    self.init(
      name: name, revision: SnapshotRevision(epoch: 0, number: 0), isAlive: false, silence: .zero)
    self.trouble = trouble
  }
}

/// An engine has something under a log's name that is no message: this log stops, and no other one.
package struct UnreadableLog: Error, CustomStringConvertible {
  package let description: String

  package init(_ name: String, _ reason: String) { description = "log \(name): \(reason)" }
}
