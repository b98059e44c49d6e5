import AsyncDiff
import AsyncKnot
import AsyncKnotTesting
import FleetLog
import Synchronization

/// What was done to a log, in order, and what its writers were told.
final class Account: Sendable {
  enum Event: Sendable {
    case claimed(UInt64)
    case put(LogMessage)
    /// An older copy took the log's place.
    case restored
  }

  private let state = Mutex((events: [Event](), confirmed: Set<SnapshotRevision>()))

  func note(_ event: Event) { state.withLock { $0.events.append(event) } }
  func confirm(_ revision: SnapshotRevision) {
    state.withLock { _ = $0.confirmed.insert(revision) }
  }

  /// D25: one writer, no number twice, none left out, nothing lost that was confirmed; and under a revision
  /// only one message, whatever was restored.
  func check() throws {
    let (events, confirmed) = state.withLock { $0 }
    var writer: UInt64?
    var last: SnapshotRevision?
    var all: [SnapshotRevision: LogMessage.Body] = [:]
    for event in events {
      switch event {
      case .claimed(let epoch):
        if writer != epoch { last = SnapshotRevision(epoch: epoch, number: 0) }
        writer = epoch
      case .restored: (writer, last) = (nil, nil)
      case .put(let message):
        let revision = message.revision
        try hold(
          writer == nil || writer == revision.epoch, "\(revision) after \(writer ?? 0) began")
        if let last, last.epoch == revision.epoch {
          try hold(revision.number == last.number + 1, "\(revision) after \(last)")
        }
        if let old = all[revision] { try hold(old == message.body, "two messages \(revision)") }
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

/// The engine in memory behind a bad connection, with an account of what it has done; or one of the mutants,
/// whose rule is broken.
actor FaultyLog: SnapshotLog {
  enum Flaw {
    case none
    /// Whether a writer has the claim is asked before the append, not in it.
    case claimOutside
    /// The number is taken in one step, the message is there in another one.
    case numberOutside
  }

  struct Disconnected: Error {}

  private let log: MemoryLog
  private let flaw: Flaw
  private let account: Account
  /// What each call meets, drawn before the run begins.
  private var dice: [Int]
  /// A process that was killed: nothing it does reaches the engine.
  private(set) var isDead = false

  init(_ log: MemoryLog, _ account: Account, flaw: Flaw = .none, dice: [Int]) {
    self.log = log
    self.flaw = flaw
    self.account = account
    self.dice = dice
  }

  func kill() { isDead = true }

  /// What happens on the way there and on the way back: an error, a process that is stopped, or nothing.
  private func meet() async throws {
    if isDead { throw Disconnected() }
    switch dice.popLast() ?? 9 {
    case 0: throw Disconnected()
    case 1: try await Task.sleep(for: .seconds(5))
    case 2: try await Task.sleep(for: .milliseconds(300))
    default: break
    }
  }

  func claim(
    _ name: String, as epoch: UInt64, inPlaceOf old: UInt64?, lease: Duration
  ) async throws -> ClaimOutcome {
    try await meet()
    let outcome = await log.change { [account] rules in
      let isNew = rules.heads(at: .now).first { $0.name == name }?.revision.epoch != epoch
      let outcome = rules.claim(name, as: epoch, inPlaceOf: old, lease: lease, at: .now)
      if outcome == .granted, isNew { account.note(.claimed(epoch)) }
      return outcome
    }
    try await meet()
    return outcome
  }

  func append(_ message: LogMessage, to name: String) async throws -> AppendOutcome {
    try await meet()
    let outcome = try await put(message, in: name)
    try await meet()
    if outcome == .appended { account.confirm(message.revision) }
    return outcome
  }

  private func put(_ message: LogMessage, in name: String) async throws -> AppendOutcome {
    switch flaw {
    case .none:
      return await log.change { [account] rules in
        if let refusal = rules.refusal(of: message, in: name) { return refusal }
        account.note(.put(message))
        return rules.append(message, to: name, at: .now)
      }
    case .claimOutside:
      if let refusal = log.state.refusal(of: message, in: name) { return refusal }
      try await meet()
      await log.change { [account] rules in
        rules.count(message, in: name, at: .now)
        rules.put(message, in: name)
        account.note(.put(message))
      }
      return .appended
    case .numberOutside:
      let refusal = await log.change { rules in
        let refusal = rules.refusal(of: message, in: name)
        if refusal == nil { rules.count(message, in: name, at: .now) }
        return refusal
      }
      if let refusal { return refusal }
      try await meet()
      await log.change { [account] rules in
        rules.put(message, in: name)
        account.note(.put(message))
      }
      return .appended
    }
  }

  func renew(_ name: String, _ epoch: UInt64) async throws -> Bool {
    try await meet()
    return await log.renew(name, epoch)
  }

  func release(_ name: String, _ epoch: UInt64) async throws {
    try await meet()
    await log.release(name, epoch)
  }

  func heads() async throws -> [LogHead] {
    try await meet()
    return await log.heads()
  }

  func messages(of name: String, since revision: SnapshotRevision?) async throws -> [LogMessage] {
    try await meet()
    return await log.messages(of: name, since: revision)
  }

  nonisolated func bells() -> any AsyncSequence<Void, Never> & Sendable { log.bells() }
}
