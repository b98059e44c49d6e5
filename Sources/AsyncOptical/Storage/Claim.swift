internal import Synchronization

/// Decides whether followers may replace the stored bytes; the copies of an archive share one claim.
final class Claim: Sendable {
  enum Stored: Sendable {
    /// There may be bytes that this run has not read, so followers must not replace them.
    case unread
    /// A state that a caller of `load()` has received.
    case loaded
    /// Nothing, or a state that this run has saved or restored.
    case ours
  }

  /// A task that saves each state of a holder.
  final class Follower: Sendable {
    /// Yields when the follower should save the newest state again, for example because it was refused.
    let retries: AsyncStream<Void>
    fileprivate let retry: AsyncStream<Void>.Continuation

    init() { (retries, retry) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Ends the retries; one that was already yielded is still delivered.
    func finish() { retry.finish() }
  }

  /// The error of a follower that would replace unread bytes.
  struct Refusal: Error {
    /// Whether the follower was refused before, and nothing has changed since.
    let isRepeated: Bool
  }

  private struct State {
    var stored = Stored.unread
    var refused: [Follower] = []
    var followers: [Follower] = []

    func isRefused(_ follower: Follower) -> Bool { refused.contains { $0 === follower } }
  }

  private let state = Mutex(State())

  /// Returns whether a follower may replace the stored bytes; if not, the follower must check whether any bytes are stored.
  func allows(_ follower: Follower) throws(Refusal) -> Bool {
    let (isAllowed, isRefused) = state.withLock {
      ($0.stored != .unread, $0.isRefused(follower))
    }
    if isRefused { throw Refusal(isRepeated: true) }
    return isAllowed
  }

  /// Refuses a follower that has found bytes, unless they were read or replaced in the meantime.
  func refuse(_ follower: Follower) throws(Refusal) {
    let isAllowed = state.withLock { state in
      if state.stored == .unread { state.refused.append(follower) }
      return state.stored != .unread
    }
    if !isAllowed { throw Refusal(isRepeated: false) }
  }

  func add(_ follower: Follower) { state.withLock { $0.followers.append(follower) } }

  /// Makes all followers save the newest state, because a caller may have saved an older one.
  func saveAgain() {
    for follower in state.withLock({ $0.followers }) { follower.retry.yield() }
  }

  /// Forgets a follower that has ended.
  func remove(_ follower: Follower) {
    state.withLock { state in
      state.refused.removeAll { $0 === follower }
      state.followers.removeAll { $0 === follower }
    }
  }

  /// Updates the claim, and makes refused followers try again if they may now replace the bytes.
  func update(_ change: (inout Stored) -> Void) {
    let retried = state.withLock { state -> [Follower] in
      change(&state.stored)
      guard state.stored != .unread else { return [] }
      defer { state.refused = [] }
      return state.refused
    }
    for follower in retried { follower.retry.yield() }
  }
}
