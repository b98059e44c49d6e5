package import AsyncDiff
import Foundation

/// Follows a log into a relay. After an unreadable message it continues with the next full snapshot.
package actor LogFollower<Section: SectionInflator>
where Section.DiffIdentifier: Codable, Section.Content: Codable, Section.Item: Codable {
  /// An unreadable message and the reason.
  package struct Trouble: Error, Equatable, Sendable, CustomStringConvertible {
    package let log: String
    package let revision: SnapshotRevision
    package let reason: String
    package var description: String { "log \(log), message \(revision): \(reason)" }
  }

  package nonisolated let name: String
  /// The relay of the messages that were read.
  package nonisolated let relay: SnapshotRelay<Section>
  private let log: any SnapshotLog
  /// The revision of the last message that was read, even an unreadable one.
  private var cursor: SnapshotRevision?
  /// The unreadable message, while the relay is behind the cursor because of that message.
  private var unreadable: Trouble?
  /// The end of the log, if it was missing when the log was last read.
  private var missing: SnapshotRevision?
  /// Why the relay lacks messages of the log; `nil` if it has all of them.
  package private(set) var trouble: Trouble?

  package init(_ name: String, in log: any SnapshotLog) {
    self.name = name
    self.log = log
    relay = SnapshotRelay(history: Int(LogMessage.retention))
  }

  /// Reads the new messages.
  ///
  /// - Parameter head: The newest revision of the log, if it is known; reading ends there.
  /// - Returns: The unreadable messages, even if the next full snapshot has arrived; of those before a full
  ///   snapshot, only the first one.
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

  /// Reports a missing end of the log only the second time, because a writer may just have begun.
  private func lack(of head: SnapshotRevision?) -> Trouble? {
    guard let head, head.number > 0,
      cursor.map({ $0.epoch == head.epoch && $0.number < head.number }) ?? true
    else {
      missing = nil
      return nil
    }
    defer { missing = head }
    return missing == head
      ? Trouble(log: name, revision: head, reason: "it is missing in the log") : nil
  }

  private func take(_ message: LogMessage) async throws {
    guard message.format == LogMessage.format else {
      throw Unreadable("its format is \(message.format); this program reads \(LogMessage.format)")
    }
    switch message.body {
    case .tooLong(let count):
      throw Unreadable("it takes \(count) bytes; the limit is \(LogMessage.limit)")
    case .text(let text):
      let content = try JSONDecoder().decode(
        SnapshotMessage<Section>.self, from: Data(text.utf8))
      guard content.revision == message.revision else {
        throw Unreadable("it says that it is \(content.revision)")
      }
      try await show(content)
    }
  }

  private func show(_ message: SnapshotMessage<Section>) async throws {
    guard case .snapshot(let snapshot, let revision, _) = message else {
      try await relay.apply(message)
      return
    }
    // Within an epoch, a revision must not decrease, so an older snapshot is ignored.
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
