import AsyncDiff
import AsyncKnot
import ExploreWorld
import FleetLog
import Synchronization

/// Records the changes of a log in order, and the messages that were confirmed to its writers.
final class Account: Sendable {
  enum Event: Sendable {
    /// A claim of an epoch; `isFree` is `false` if another writer still had the log.
    case claimed(UInt64, isFree: Bool)
    case put(LogMessage)
    /// An older copy has replaced the log.
    case restored
  }

  private let state = Mutex((events: [Event](), confirmed: Set<SnapshotRevision>()))

  func note(_ event: Event) { state.withLock { $0.events.append(event) } }
  func confirm(_ revision: SnapshotRevision) {
    state.withLock { _ = $0.confirmed.insert(revision) }
  }

  /// Checks D25: there is one writer at a time, no number is repeated or skipped, no confirmed message is lost, and a revision
  /// never has two messages, even after a restore.
  func check() throws {
    let (events, confirmed) = state.withLock { $0 }
    var writer: UInt64?
    var last: SnapshotRevision?
    var all: [SnapshotRevision: LogMessage.Body] = [:]
    for event in events {
      switch event {
      case .claimed(let epoch, let isFree):
        try hold(isFree, "epoch \(epoch) began while epoch \(writer ?? 0) had the log")
        if writer != epoch { last = SnapshotRevision(epoch: epoch, number: 0) }
        writer = epoch
      case .restored: (writer, last) = (nil, nil)
      case .put(let message):
        let revision = message.revision
        try hold(
          writer == nil || writer == revision.epoch,
          "\(revision) was appended after epoch \(writer ?? 0) had begun")
        if let last, last.epoch == revision.epoch {
          try hold(revision.number == last.number + 1, "\(revision) was appended after \(last)")
        }
        if let old = all[revision] { try hold(old == message.body, "\(revision) has two messages") }
        all[revision] = message.body
        last = revision
      }
    }
    for revision in confirmed { try hold(all[revision] != nil, "\(revision) is lost") }
  }
}

struct Violation: Error, CustomStringConvertible {
  let description: String
}

func hold(_ condition: Bool, _ description: @autoclosure () -> String) throws {
  if !condition { throw Violation(description: description()) }
}

/// An engine in memory, which records its changes and, if it has a flaw, breaks one of the rules.
struct Engine: Sendable {
  enum Flaw: CaseIterable {
    case none
    /// The claim is checked before the append, not in the same step.
    case claimOutside
    /// The number is taken in one step, and the message is stored in another.
    case numberOutside
    /// A claim is granted although the lease of the previous claim has not ended.
    case claimTooEarly
  }

  let log = MemoryLog()
  let account: Account
  let flaw: Flaw

  func claim(
    _ name: String, as epoch: UInt64, inPlaceOf old: UInt64?, lease: Duration
  ) async -> ClaimOutcome {
    await log.change { [account, flaw] rules in
      let isNew = rules.heads(at: .now).first { $0.name == name }?.revision.epoch != epoch
      let isFree =
        rules.heads(at: .now).first { $0.name == name }.map {
          !$0.isAlive || $0.revision.epoch == old
        } ?? true
      let now = ContinuousClock.now + (flaw == .claimTooEarly ? lease : .zero)
      let outcome = rules.claim(name, as: epoch, inPlaceOf: old, lease: lease, at: now)
      if outcome == .granted, isNew {
        account.note(.claimed(epoch, isFree: isFree))
      }
      return outcome
    }
  }

  func append(_ message: LogMessage, to name: String) async throws -> AppendOutcome {
    let refusal: AppendOutcome?
    switch flaw {
    case .none, .claimTooEarly:
      return await log.change { [account] rules in
        if let refusal = rules.refusal(of: message, in: name) { return refusal }
        account.note(.put(message))
        return rules.append(message, to: name, at: .now)
      }
    case .claimOutside: refusal = log.state.refusal(of: message, in: name)
    case .numberOutside:
      refusal = await log.change { rules in
        let refusal = rules.refusal(of: message, in: name)
        if refusal == nil { rules.count(message, in: name, at: .now) }
        return refusal
      }
    }
    if let refusal { return refusal }
    // The two steps should be one transaction, but this engine can fail between them.
    if fault("engine: lost half") { throw FaultyLink.Lost() }
    await Task.yield()
    await log.change { [account, flaw] rules in
      if flaw == .claimOutside { rules.count(message, in: name, at: .now) }
      rules.put(message, in: name)
      account.note(.put(message))
    }
    return .appended
  }
}

/// A log that a process reaches over a link that can lose calls, until the process crashes.
struct RemoteLog: SnapshotLog {
  let engine: Engine
  let life: FaultyLife
  let link: FaultyLink

  /// Calls the engine.
  ///
  /// The process may crash before the call, or after the call and before it gets the response.
  private func ask<Answer: Sendable>(
    _ body: @escaping @Sendable () async throws -> Answer
  ) async throws -> Answer {
    try await life.moment()
    let answer = try await link.call(body)
    try await life.moment()
    return answer
  }

  func claim(
    _ name: String, as epoch: UInt64, inPlaceOf old: UInt64?, lease: Duration
  ) async throws -> ClaimOutcome {
    try await ask { [engine] in
      await engine.claim(name, as: epoch, inPlaceOf: old, lease: lease)
    }
  }

  func append(_ message: LogMessage, to name: String) async throws -> AppendOutcome {
    let outcome = try await ask { [engine] in try await engine.append(message, to: name) }
    if outcome == .appended { engine.account.confirm(message.revision) }
    return outcome
  }

  func renew(_ name: String, _ epoch: UInt64, trouble: String?) async throws -> Bool {
    try await ask { [log = engine.log] in await log.renew(name, epoch, trouble: trouble) }
  }

  func complain(_ name: String, _ epoch: UInt64, of trouble: String) async throws {
    try await ask { [log = engine.log] in await log.complain(name, epoch, of: trouble) }
  }

  func release(_ name: String, _ epoch: UInt64) async throws {
    try await ask { [log = engine.log] in await log.release(name, epoch) }
  }

  func heads() async throws -> [LogHead] {
    try await ask { [log = engine.log] in await log.heads() }
  }

  func messages(of name: String, since revision: SnapshotRevision?) async throws -> [LogMessage] {
    try await ask { [log = engine.log] in await log.messages(of: name, since: revision) }
  }

  func bells() -> any AsyncSequence<Void, Never> & Sendable { engine.log.bells() }
}
