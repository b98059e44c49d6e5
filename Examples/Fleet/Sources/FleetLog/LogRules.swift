package import AsyncDiff

/// The state of all logs, as a value that implements the rules of an engine.
///
/// Each call corresponds to one transaction of an engine.
package struct LogRules: Sendable {
  private struct Log {
    var epoch: UInt64
    var number: UInt64 = 0
    var lease: Duration
    /// The time of the writer's last heartbeat.
    var heartbeat: ContinuousClock.Instant
    /// The reason why the writer cannot append.
    var trouble: String?
    var messages: [LogMessage] = []

    var revision: SnapshotRevision { SnapshotRevision(epoch: epoch, number: number) }
    var end: ContinuousClock.Instant { heartbeat + lease }
  }

  private var logs: [String: Log] = [:]

  package init() {}

  package mutating func claim(
    _ name: String, as epoch: UInt64, inPlaceOf old: UInt64?, lease: Duration,
    at now: ContinuousClock.Instant
  ) -> ClaimOutcome {
    if let log = logs[name], log.epoch != epoch {
      guard log.end <= now || log.epoch == old else { return .taken(for: log.end - now) }
    }
    var log = logs[name] ?? Log(epoch: epoch, lease: lease, heartbeat: now)
    if log.epoch != epoch { (log.epoch, log.number) = (epoch, 0) }
    (log.lease, log.heartbeat, log.trouble) = (lease, now, nil)
    logs[name] = log
    return .granted
  }

  /// Returns the outcome of an append that must not change the log; `nil` if the message can be appended.
  package func refusal(of message: LogMessage, in name: String) -> AppendOutcome? {
    guard let log = logs[name], log.epoch == message.revision.epoch else { return .lost }
    return switch message.revision.number {
    case log.number + 1: nil
    case log.number: .appended
    default: .elsewhere(log.revision)
    }
  }

  /// Advances the log's number to that of an appended message, and renews the claim.
  ///
  /// The engine must also store the message.
  package mutating func count(
    _ message: LogMessage, in name: String, at now: ContinuousClock.Instant
  ) {
    logs[name]?.number = message.revision.number
    logs[name]?.heartbeat = now
    logs[name]?.trouble = nil
  }

  package mutating func put(_ message: LogMessage, in name: String) {
    logs[name]?.messages.append(message)
    guard message.isFull else { return }
    logs[name]?.messages.removeAll {
      $0.revision.epoch != message.revision.epoch
        || $0.revision.number + LogMessage.retention < message.revision.number
    }
  }

  package mutating func append(
    _ message: LogMessage, to name: String, at now: ContinuousClock.Instant
  ) -> AppendOutcome {
    if let refusal = refusal(of: message, in: name) { return refusal }
    count(message, in: name, at: now)
    put(message, in: name)
    return .appended
  }

  package mutating func renew(
    _ name: String, _ epoch: UInt64, trouble: String?, at now: ContinuousClock.Instant
  ) -> Bool {
    guard logs[name]?.epoch == epoch else { return false }
    logs[name]?.heartbeat = now
    logs[name]?.trouble = trouble
    return true
  }

  package mutating func complain(_ name: String, _ epoch: UInt64, of trouble: String) {
    if logs[name]?.epoch == epoch { logs[name]?.trouble = trouble }
  }

  package mutating func release(_ name: String, _ epoch: UInt64) {
    if logs[name]?.epoch == epoch { logs[name]?.lease = .zero }
  }

  package func heads(at now: ContinuousClock.Instant) -> [LogHead] {
    logs.map { name, log in
      LogHead(
        name: name, revision: log.revision, isAlive: now < log.end, silence: now - log.heartbeat,
        complaint: log.trouble)
    }.sorted { $0.name < $1.name }
  }

  package func messages(
    of name: String, since revision: SnapshotRevision?
  ) -> [LogMessage] {
    guard let log = logs[name] else { return [] }
    let kept = log.messages.filter { $0.revision.epoch == log.epoch }
    if let revision, revision.epoch == log.epoch {
      if revision.number >= log.number { return [] }
      let later = kept.filter { $0.revision.number > revision.number }
      if later.first?.revision.number == revision.number + 1 { return later }
      return Array(later.firstIndex(where: \.isFull).map { later[$0...] } ?? later[...])
    }
    return Array(kept.drop { !$0.isFull })
  }
}
