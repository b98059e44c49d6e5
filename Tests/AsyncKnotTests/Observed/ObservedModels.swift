import Observation

/// A state with every kind of path: plain, nested, optional, in a collection, computed, and not `Equatable`.
struct Profile: KnotState {
  struct User: Sendable, Equatable {
    var name = "-"
    var age = 0
  }

  /// Not `Equatable`, so its values cannot be compared.
  struct Opaque: Sendable {
    var number = 0
  }

  var title = "-"
  var count = 0
  var user = User()
  var friend: User?
  var rows = [0, 0, 0]
  var names: [String: String] = [:]
  var opaque = Opaque()

  var initial: Character? { title.first }

  static func defaultState() -> Profile { Profile() }
}

@MainActor final class ProfileView: KnotableView {
  nonisolated let knot = Knot<Profile>()
  var onUpdate: ((Profile) -> Void)?

  func update(_ state: Profile) { onUpdate?(state) }
}

actor ProfileNode: StateActor {
  let knot = Knot<Profile>()
}

/// A counter of the invalidations of tracked reads.
@MainActor final class Invalidations {
  private(set) var count = 0

  /// Tracks the values that `read` reads until the first of them changes.
  func track(_ read: () -> Void) {
    withObservationTracking(read) { MainActor.assumeIsolated { self.count += 1 } }
  }
}

extension Observed {
  /// Waits until `isExpected` returns `true` for the state.
  func reaches(_ isExpected: (State) -> Bool) async {
    var isReached = false
    while !isReached {
      await withCheckedContinuation { continuation in
        // Check and track in one synchronous step, because an async call between the two could suspend and miss a change.
        let resumption = Once { continuation.resume() }
        withObservationTracking {
          isReached = isExpected(state)
        } onChange: {
          MainActor.assumeIsolated { resumption.run() }
        }
        if isReached { resumption.run() }
      }
    }
  }
}

/// An action that runs only the first time.
@MainActor private final class Once {
  private var action: (() -> Void)?

  init(_ action: @escaping () -> Void) { self.action = action }

  func run() { action.take()?() }
}
