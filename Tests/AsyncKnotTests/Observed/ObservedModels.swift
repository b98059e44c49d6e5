import Observation

/// A state with every kind of path: plain, nested, optional, in collections, computed, not `Equatable`.
struct Profile: KnotState {
  struct User: Sendable, Equatable {
    var name = "-"
    var age = 0
  }

  /// Values of it cannot be compared.
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

/// Counts how often what a tracking read was invalidated.
@MainActor final class Invalidations {
  private(set) var count = 0

  /// Tracks what `read` reads, once.
  func track(_ read: () -> Void) {
    withObservationTracking(read) { MainActor.assumeIsolated { self.count += 1 } }
  }
}

extension Observed {
  /// Returns when the state is as expected.
  func reaches(_ isExpected: (State) -> Bool) async {
    var isReached = false
    while !isReached {
      await withCheckedContinuation { continuation in
        // Looking and tracking are one step: calling an async function may give way.
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

/// Does something the first time only.
@MainActor private final class Once {
  private var action: (() -> Void)?

  init(_ action: @escaping () -> Void) { self.action = action }

  func run() { action.take()?() }
}
