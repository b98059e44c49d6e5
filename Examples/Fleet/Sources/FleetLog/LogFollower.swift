package import AsyncDiff
import Foundation

/// Follows a log, and applies its messages to a relay.
///
/// After an unreadable message, the follower continues with the next full snapshot.
package actor LogFollower<Section: SectionInflator>
where Section.DiffIdentifier: Codable, Section.Content: Codable, Section.Item: Codable {
  /// An unreadable message, and the reason why it is unreadable.
  package struct Trouble: Error, Equatable, Sendable, CustomStringConvertible {
    package let log: String
    package let revision: SnapshotRevision
    package let reason: String
    package var description: String { "log \(log), message \(revision): \(reason)" }
  }

  package nonisolated let name: String
  /// The relay to which the messages are applied.
  package nonisolated let relay: SnapshotRelay<Section>
  private let log: any SnapshotLog
  /// The revision of the last message that was read, including unreadable messages.
  private var cursor: SnapshotRevision?
  /// The unreadable message that keeps the relay behind the cursor; `nil` if the relay is not behind.
  private var unreadable: Trouble?
  /// The newest revision of the log, if its message was missing when the log was last read.
  private var missing: SnapshotRevision?
  /// The reason why the relay does not have all messages of the log; `nil` if it has all of them, or if only the latest
  /// ``catchUp(to:)`` found that the end of the log is missing.
  package private(set) var trouble: Trouble?

  package init(_ name: String, in log: any SnapshotLog) {
    self.name = name
    self.log = log
    relay = SnapshotRelay(history: Int(LogMessage.retention))
  }

  /// Reads the new messages.
  ///
  /// - Parameter head: The newest revision of the log, if it is known. Reading ends at this revision.
  /// - Returns: The unreadable messages, even if a later full snapshot has arrived. If several messages before the same full
  ///   snapshot are unreadable, only the first of them is returned.
  /// - Throws: Errors of the engine.
  @discardableResult
  package func catchUp(to head: SnapshotRevision? = nil) async throws -> [Trouble] {
    var troubles: [Trouble] = []
    defer { trouble = unreadable ?? lack(of: head) }
    while head == nil || head != cursor {
      let messages = try await log.messages(of: name, since: cursor)
      guard let last = messages.last?.revision, last != cursor else { break }
      for message in messages {
        cursor = message.revision
        do {
          try await take(message)
          unreadable = nil
        } catch {
          guard unreadable == nil else { continue }
          let new = Trouble(log: name, revision: message.revision, reason: Self.reason(error))
          unreadable = new
          troubles.append(new)
        }
      }
    }
    return troubles
  }

  /// Returns the trouble if the end of the log is missing.
  ///
  /// The first time that a revision is missing, the result is `nil`, because a new epoch may have started since `head` was read.
  private func lack(of head: SnapshotRevision?) -> Trouble? {
    guard let head, head.number > 0,
      cursor.map({ $0.epoch == head.epoch && $0.number < head.number }) ?? true
    else {
      missing = nil
      return nil
    }
    defer { missing = head }
    return missing == head
      ? Trouble(log: name, revision: head, reason: "it is missing from the log") : nil
  }

  private func take(_ message: LogMessage) async throws {
    guard message.format == LogMessage.format else {
      throw Unreadable(
        "its format is \(message.format), but this program reads \(LogMessage.format)")
    }
    switch message.body {
    case .tooLong(let count):
      throw Unreadable("it takes \(count) bytes, but the limit is \(LogMessage.limit)")
    case .text(let text):
      let content = try JSONDecoder().decode(
        SnapshotMessage<Section>.self, from: Data(text.utf8))
      guard content.revision == message.revision else {
        throw Unreadable("its content has the revision \(content.revision)")
      }
      try await show(content)
    }
  }

  private func show(_ message: SnapshotMessage<Section>) async throws {
    guard case .snapshot(let snapshot, let revision, _) = message else {
      try await relay.apply(message)
      return
    }
    // An older snapshot is ignored, because a revision must not decrease within an epoch.
    let has = relay.revision
    if let has, has.epoch == revision.epoch, has.number >= revision.number { return }
    try await relay.apply(.snapshot(snapshot, revision, since: has))
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case DecodingError.dataCorrupted(let context): "not a message: \(context.debugDescription)"
    case DecodingError.keyNotFound(let key, let context):
      "it has no “\(key.stringValue)”\(place(context))"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "\(context.debugDescription)\(place(context))"
    default: "\(error)"
    }
  }

  private static func place(_ context: DecodingError.Context) -> String {
    context.codingPath.isEmpty
      ? "" : " at " + context.codingPath.map(\.stringValue).joined(separator: ".")
  }
}

private struct Unreadable: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
