public import Observation

/// Makes a source's state observable by SwiftUI, which then redraws a view only after a change to a value that the view has read.
///
/// <!-- sample:
/// import SwiftUI
/// struct TitleScreen: View { … }
/// -->
/// ```swift
/// @State private var profile = Observed(node)
/// var body: some View { Text(profile.title) }   // only a changed title draws this again
/// ```
/// An observed object has the source's current state from the start. A `KnotableView` updates the object in the turn that accepts
/// a state. For any other source, including a ``Derived`` one and `states(of:)`, a main-actor task updates the object; like
/// `states`, this task skips to the newest state. The object keeps a ``Derived`` source alive, but no other source. It keeps the
/// last state after the source is released. Until the first read, the object costs the source nothing.
///
/// `profile.user.name` reads `user` and therefore tracks `user`; `profile[\.user.name]` tracks only the name. A tracked path is
/// evaluated in every later state, so it must be valid in each of them: `profile[\.rows, at: 3]` is `nil` if there is no fourth
/// row, but `profile[\.rows[3]]` would trap. A value that is not `Equatable` or, like NaN, not equal to itself counts as changed
/// in every new state.
///
/// Create the object once, either in a `@State` property of the view or where the source is created, and pass it on as a `let`.
/// To write, use the source: call `reduce` or `sink`, or send it a message.
@MainActor @dynamicMemberLookup
public final class Observed<State: Sendable>: Observable {
  /// How the object follows the source.
  private enum Link {
    /// No property has been read yet.
    case idle(start: @MainActor (Observed) -> Link)
    /// Follows the source until the bag is released.
    case following(TaskBag)
    case constant
  }

  let registrar = ObservationRegistrar()
  var paths = TrackedPaths()
  /// Lazy, because a derived source computes its state on the first read.
  @usableFromInline lazy var current = states().current
  private let states: @Sendable () -> StateSequence<State>
  private var link = Link.idle { $0.followStates() }

  /// Creates an observed object for a source.
  ///
  /// - Complexity: O(1). The object starts to follow the source at the first read.
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

  /// Stores a newer state and invalidates the tracked key paths whose values have changed.
  private func accept(_ state: State) {
    let (changed, trackedCount) = unsafe withUnsafePointer(to: current) { old in
      unsafe withUnsafePointer(to: state) { new in
        // A copy, because a comparison may call code that reads this object and so adds a path. The copy is released when this
        // closure returns, so adding a path later does not copy the table.
        let known = paths
        return known.changed { unsafe $0.differs(old, new) }
      }
    }
    paths.removeUntracked(trackedCount: trackedCount)
    for path in changed { registrar.willSet(PathSubject.shared, keyPath: path.marker) }
    let old = current
    current = state
    for path in changed { registrar.didSet(PathSubject.shared, keyPath: path.marker) }
    // Released last, because a deinit may read this object.
    withExtendedLifetime(old) {}
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
    // The task must not belong to the message that reads a property first, because the handlers of `onChange` inherit from it.
    _ = CurrentMessage.without {
      bag.add { @MainActor [weak self] in
        var states = rest()
        while let state = await states.next(isolation: MainActor.shared) {
          guard let self else { return }
          accept(state)
        }
      }
    }
    return .following(bag)
  }
}
