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
/// the turn that accepts a state; for any other source a main-actor task does so, which conflates
/// as `states` does. The object keeps neither the source nor itself alive; when the source is gone,
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
  @usableFromInline var current: State
  private var link: Link

  /// Creates an observed object for a source.
  ///
  /// - Complexity: O(1); following begins with the first read.
  public init(_ source: some StateSource<State>) {
    current = source.state
    if let view = source as? any KnotableView & StateSource<State> {
      link = Self.following(view: view)
    } else {
      link = Self.following(source.states)
    }
  }

  /// Creates an observed object with a state that never changes, for previews and tests.
  public init(constant state: State) {
    current = state
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
    .idle { [weak view, states = view.states] observed in
      observed.current = states.currentAndRest().state
      guard let view else { return .constant }
      let bag = TaskBag()
      view.observe(in: bag) { [weak observed] _, state in observed?.accept(state) }
      return .following(bag)
    }
  }

  private static func following(_ states: StateSequence<State>) -> Link {
    .idle { observed in
      let (state, rest) = states.currentAndRest()
      observed.current = state
      let bag = TaskBag()
      bag.add { @MainActor [weak observed] in
        var states = rest()
        while let state = await states.next(isolation: MainActor.shared) {
          guard let observed else { return }
          observed.accept(state)
        }
      }
      return .following(bag)
    }
  }
}
