package import AsyncDiff
import Foundation

/// Follows a log into a relay, and goes on with the next full snapshot where a message cannot be read.
package actor LogFollower<Section: SectionInflator>
where Section.DiffIdentifier: Codable, Section.Content: Codable, Section.Item: Codable {
  /// What could not be read, and why.
  package struct Trouble: Error, Equatable, Sendable, CustomStringConvertible {
    package let log: String
    package let revision: SnapshotRevision
    package let reason: String
    package var description: String { "log \(log), message \(revision): \(reason)" }
  }

  package nonisolated let name: String
  /// What was read, to be followed in turn.
  package nonisolated let relay: SnapshotRelay<Section>
  private let log: any SnapshotLog
  /// The last message that was looked at, whether it could be read or not.
  private var cursor: SnapshotRevision?
  /// The message that could not be read, as long as the relay is behind the cursor because of it.
  private var unreadable: Trouble?
  /// The end of the log that was not there when it was looked for.
  private var missing: SnapshotRevision?
  /// Why the relay does not have all that is in the log; nil if it has.
  package private(set) var trouble: Trouble?

  package init(_ name: String, in log: any SnapshotLog) {
    self.name = name
    self.log = log
    relay = SnapshotRelay(history: Int(LogMessage.retention))
  }

  /// Reads what the log has by now.
  ///
  /// - Parameter head: Where the log is, if that is known: there the reading ends.
  /// - Returns: What could not be read, also if the next full snapshot has come since; after one trouble there is
  ///   no other before that.
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

  /// That a log's end is not there, if it was not there the last time either: a writer may just have begun.
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
      throw Unreadable("it takes \(count) bytes; the most is \(LogMessage.limit)")
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
    // It is what the log has answered to what the relay has, but within an epoch nothing goes back.
    let has = relay.revision
    if let has, has.epoch == revision.epoch, has.number >= revision.number { return }
    try await relay.apply(.snapshot(snapshot, revision, since: has))
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case DecodingError.dataCorrupted(let context): "it is no message: \(context.debugDescription)"
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
