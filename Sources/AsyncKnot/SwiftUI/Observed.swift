public import Observation

/// A source's state as SwiftUI observes it: only the key paths that were read, and only when they
/// change.
///
/// <!-- sample:
/// import SwiftUI
/// struct TitleScreen: View { … }
/// -->
/// ```swift
/// @State private var profile = Observed(node)
/// var body: some View { Text(profile.title) }   // only a changed title draws this again
/// ```
/// An observed object has the source's current state at once. A `KnotableView` updates it within
/// the turn that accepts a state; for any other source, a ``Derived`` one and `states(of:)` included, a
/// main-actor task does so, which conflates as `states` does. The object keeps neither the source nor itself alive; when the source is gone,
/// it keeps the last state. Until the first read it costs the source nothing.
///
/// `profile.user.name` reads `user`, and so tracks `user`; `profile[\.user.name]` tracks the name
/// alone. While a path is tracked it is evaluated in every later state, so it must be valid in each
/// one: `profile[\.rows, at: 3]` is `nil` if there is no fourth row, `profile[\.rows[3]]` would
/// trap. A value that is not `Equatable` counts as changed with each state.
///
/// Write through the source: by `reduce`, `sink`, or the messages that the source's type can be
/// sent.
@MainActor @dynamicMemberLookup
public final class Observed<State: Sendable>: Observable {
  /// How the object follows the source.
  private enum Link {
    /// Nothing was read yet.
    case idle(start: @MainActor (Observed) -> Link)
    /// Dropping the bag ends it.
    case following(TaskBag)
    case constant
  }

  let registrar = ObservationRegistrar()
  var paths = TrackedPaths()
  /// Read when it is first needed, because a derived source computes it.
  @usableFromInline lazy var current = states().current
  private let states: @Sendable () -> StateSequence<State>
  private var link = Link.idle { $0.followStates() }

  /// Creates an observed object for a source.
  ///
  /// - Complexity: O(1); following begins with the first read.
  public init(_ source: some StateSource<State>) {
    if let derived = source as? Derived<State> {
      states = { derived.states }
    } else {
      states = { [states = source.states] in states }
    }
    if let view = source as? any KnotableView & StateSource<State> {
      link = Self.following(view: view)
    }
  }

  /// Creates an observed object for the states of several sources.
  ///
  /// ```swift
  /// let shown = Observed(states(of: session, shop))
  /// show(shown[\.0.user], shown[\.1.title])
  /// ```
  public init(_ states: StateSequence<State>) { self.states = { states } }

  /// Creates an observed object with a state that never changes, for previews and tests.
  public init(constant state: State) {
    states = { [core = KnotCore(state)] in StateSequence(core: core, policy: nil) }
    link = .constant
  }

  /// Stores a newer state and invalidates the tracked key paths whose values it changes.
  private func accept(_ state: State) {
    var changed: [TrackedPaths.Path] = []
    unsafe withUnsafePointer(to: current) { old in
      unsafe withUnsafePointer(to: state) { new in
        for path in paths.tracked() where unsafe path.comparison.differs(old, new) {
          changed.append(path)
        }
      }
    }
    for path in changed { registrar.willSet(PathSubject.shared, keyPath: path.marker) }
    current = state
    for path in changed { registrar.didSet(PathSubject.shared, keyPath: path.marker) }
  }

  func follow() { if case .idle(let start) = link { link = start(self) } }

  private static func following<View: KnotableView>(
    view: View
  ) -> Link where View.State == State {
    .idle { [weak view] observed in
      observed.current = observed.states().current
      guard let view else { return .constant }
      let bag = TaskBag()
      view.observe(in: bag) { [weak observed] _, state in observed?.accept(state) }
      return .following(bag)
    }
  }

  private func followStates() -> Link {
    let (state, rest) = states().currentAndRest()
    current = state
    let bag = TaskBag()
    bag.add { @MainActor [weak self] in
      var states = rest()
      while let state = await states.next(isolation: MainActor.shared) {
        guard let self else { return }
        accept(state)
      }
    }
    return .following(bag)
  }
}
