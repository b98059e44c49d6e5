package import AsyncDiff
import AsyncKnot
import Foundation

/// Writes one list to a log while this writer has the claim, and otherwise waits for the claim.
///
/// Each claim starts a new epoch with a full snapshot, so a writer does not have to know the earlier content of the log. Each
/// revision has only one message: after an error, the writer sends the same bytes again, so it does not matter whether they
/// arrived the first time.
package actor LogWriter<Section: SectionInflator>
where Section.DiffIdentifier: Codable, Section.Content: Codable, Section.Item: Codable {
  /// An event of a writer, for its operator.
  package enum Event: Equatable, Sendable {
    /// Another process has the claim, and this process waits for it.
    case waits
    /// This process has the claim, with this epoch.
    case began(UInt64)
    /// Another process has claimed the log, or the log was deleted, so this epoch has ended.
    case lost(UInt64)
    /// The log's revision is not the revision that this writer wrote last, so the writer starts a new epoch.
    case elsewhere(has: SnapshotRevision, log: SnapshotRevision)
    /// The list is too long for a message.
    ///
    /// The value is the length of the message in bytes.
    case tooLong(Int)
    /// The engine has failed, and the writer tries again.
    case failed(String)
  }

  private let log: any SnapshotLog
  private let name: String
  private let lease: Duration
  private let tell: @Sendable (Event) -> Void
  private var backoff = Backoff()
  /// The reported reason why the last attempt failed; `nil` after a success.
  private var reason: String?

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - log: The engine that stores the log.
  ///   - name: The name of the log.
  ///   - lease: The time without a heartbeat after which another writer may take over.
  ///   - tell: A handler for events, which runs on the writer's isolation.
  package init(
    to log: any SnapshotLog, name: String, lease: Duration,
    tell: @escaping @Sendable (Event) -> Void = { _ in }
  ) {
    self.log = log
    self.name = name
    self.lease = lease
    self.tell = tell
  }

  /// Writes the snapshots of a list until the task is cancelled or a sequence that `snapshots` created ends.
  ///
  /// - Parameter snapshots: Creates a sequence of snapshots, and is called again for each claim. Pass a sequence that skips
  ///   states that the loop was too slow to receive, such as `states`, so that a slow engine does not affect the list. A snapshot
  ///   without a change renews the claim. At least three snapshots must arrive within each lease.
  /// - Throws: `CancellationError`, or the error that encoding a snapshot throws. An error of the engine is reported instead, and
  ///   the writer tries again.
  package func run<Snapshots: AsyncSequence & Sendable>(
    _ snapshots: @Sendable () -> Snapshots
  ) async throws where Snapshots.Element == DiffableSnapshot<Section>, Snapshots.Failure == Never {
    var old: UInt64?
    while true {
      let epoch = try await claim(inPlaceOf: old)
      old = nil
      var mirror: SnapshotMirror<Section>?
      writing: do {
        for await snapshot in snapshots() {
          switch try await write(snapshot, after: &mirror, in: epoch) {
          case .appended: continue
          case .lost: tell(.lost(epoch))
          case .elsewhere(let revision):
            let has = mirror?.revision ?? SnapshotRevision(epoch: epoch, number: 0)
            tell(.elsewhere(has: has, log: revision))
            old = epoch
          }
          break writing
        }
        return try await persisting { try await log.release(name, epoch) }
      } catch is CancellationError {
        // The engine may refuse to work for a cancelled task, so a separate task releases the claim.
        await Task { [log, name] in try? await log.release(name, epoch) }.value
        throw CancellationError()
      }
    }
  }

  private func claim(inPlaceOf old: UInt64?) async throws -> UInt64 {
    let epoch = UInt64.random(in: 1..<1 << 53)
    var isWaiting = false
    while true {
      let outcome = try await persisting {
        try await log.claim(name, as: epoch, inPlaceOf: old, lease: lease)
      }
      switch outcome {
      case .granted:
        tell(.began(epoch))
        return epoch
      case .taken(let time):
        if !isWaiting { tell(.waits) }
        isWaiting = true
        // Never wait longer than a lease, because the log may be deleted, or the claim released, in the meantime.
        try await Task.sleep(for: max(min(time, lease), .milliseconds(1)))
      }
    }
  }

  /// Appends a snapshot.
  ///
  /// Skips a snapshot that is too long.
  private func write(
    _ snapshot: DiffableSnapshot<Section>, after mirror: inout SnapshotMirror<Section>?,
    in epoch: UInt64
  ) async throws -> AppendOutcome {
    let number = (mirror?.revision?.number ?? 0) + 1
    let revision = SnapshotRevision(epoch: epoch, number: number)
    let full = SnapshotMessage.snapshot(snapshot, revision)
    var message = full
    if let patch = mirror?.patch(to: snapshot) {
      if patch.stages.isEmpty {
        try await persisting { try await log.renew(name, epoch, trouble: nil) }
        return .appended
      }
      if number % LogMessage.stride != 1 { message = .patch(patch) }
    }
    var text = try encode(message)
    if text.utf8.count > LogMessage.limit {
      message = full
      text = try encode(message)
    }
    guard text.utf8.count <= LogMessage.limit else {
      tell(.tooLong(text.utf8.count))
      let trouble =
        "the list takes \(text.utf8.count) bytes; a message can have at most \(LogMessage.limit)"
      try await persisting { try await log.renew(name, epoch, trouble: trouble) }
      return .appended
    }
    var isFull = false
    if case .snapshot = message { isFull = true }
    let sent = LogMessage(revision, isFull: isFull, body: .text(text))
    let outcome = try await persisting {
      try await log.append(sent, to: name)
    } failing: { reason in
      // Even a full store may have room for the reason in the log's row.
      try? await log.complain(name, epoch, of: reason)
    }
    if outcome == .appended { mirror = SnapshotMirror(snapshot, at: revision) }
    return outcome
  }

  private func encode(_ message: SnapshotMessage<Section>) throws -> String {
    String(decoding: try JSONEncoder().encode(message), as: UTF8.self)
  }

  /// Repeats an operation until it succeeds.
  ///
  /// Throws if the task is cancelled.
  @discardableResult
  private func persisting<Result: Sendable>(
    _ body: () async throws -> Result, failing: (String) async -> Void = { _ in }
  ) async throws -> Result {
    while true {
      try Task.checkCancellation()
      do {
        let result = try await body()
        backoff.reset()
        reason = nil
        return result
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        let new = "\(error)"
        if new != reason { tell(.failed(new)) }
        reason = new
        await failing(new)
        try await Task.sleep(for: backoff.next())
      }
    }
  }
}
