internal import Synchronization

/// Decides whether followers may replace the stored bytes; the copies of an archive share one claim.
final class Claim: Sendable {
  enum Stored: Sendable {
    /// There may be bytes that this run has neither restored nor loaded, so followers must not replace them.
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

    /// Ends the retries; a retry that was already yielded is still delivered.
    func finish() { retry.finish() }
  }

  /// The error of a follower that would replace unread bytes.
  struct Refusal: Error {
    /// Whether the follower was refused before, and nothing has been saved since.
    let isRepeated: Bool
  }

  private struct State {
    var stored = Stored.unread
    /// The followers, each with whether it was refused after the last save.
    var followers: [(follower: Follower, isRefused: Bool)] = []
  }

  private let state = Mutex(State())

  func add(_ follower: Follower) { state.withLock { $0.followers.append((follower, false)) } }

  var followerCount: Int { state.withLock { $0.followers.count } }

  /// Forgets a follower that has ended.
  func remove(_ follower: Follower) {
    state.withLock { state in state.followers.removeAll { $0.follower === follower } }
  }

  /// Returns whether a follower may replace the stored bytes; if not, the follower must check whether any bytes are stored.
  func allows(_ follower: Follower) throws(Refusal) -> Bool {
    let (isAllowed, isRefused) = state.withLock { state in
      (
        state.stored != .unread,
        state.followers.contains { $0.follower === follower && $0.isRefused }
      )
    }
    if !isAllowed && isRefused { throw Refusal(isRepeated: true) }
    return isAllowed
  }

  /// Refuses a follower that has found bytes, unless they were read or replaced in the meantime.
  func refuse(_ follower: Follower) throws(Refusal) {
    let isAllowed = state.withLock { state in
      let index = state.followers.firstIndex { $0.follower === follower }
      if state.stored == .unread, let index { state.followers[index].isRefused = true }
      return state.stored != .unread
    }
    if !isAllowed { throw Refusal(isRepeated: false) }
  }

  /// Updates the claim, and makes refused followers try again if the update allows them to replace the bytes.
  func update(_ change: (inout Stored) -> Void) {
    retry { state in
      let wasUnread = state.stored == .unread
      change(&state.stored)
      return wasUnread && state.stored != .unread ? state.followers.filter(\.isRefused) : []
    }
  }

  /// Records that a state was saved, so the next refusal of each follower counts as its first one.
  func wasSaved() {
    update { $0 = .ours }
    // Saves run one at a time, and only a save refuses a follower. So no follower is refused between the two steps.
    state.withLock { state in
      for index in state.followers.indices { state.followers[index].isRefused = false }
    }
  }

  /// Records that a read has found no state, and makes all followers save again.
  ///
  /// The followers save again because the states that they have saved may be lost.
  ///
  /// - Parameter isEmpty: Whether nothing is stored now, so that a follower replaces nothing.
  func wasLost(isEmpty: Bool) {
    retry { state in
      state.stored = isEmpty ? .ours : .unread
      return state.followers
    }
  }

  /// Makes all followers save the newest state, because a caller may have saved an older one.
  func saveAgain() { retry { $0.followers } }

  private func retry(_ chosen: (inout State) -> [(follower: Follower, isRefused: Bool)]) {
    for (follower, _) in state.withLock({ chosen(&$0) }) { follower.retry.yield() }
  }
}
