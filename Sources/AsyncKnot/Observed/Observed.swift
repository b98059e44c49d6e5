public import Observation

/// A source's state as SwiftUI observes it: only the key paths that were read, and only when they change.
///
/// ```swift
/// @State private var profile = Observed(node)
/// var body: some View { Text(profile.title) }   // only a changed title draws this again
/// ```
///
/// It has the source's current state at once. A `KnotableView` brings it up to date within the turn
/// that accepts a state; for any other source a task on the main actor does, which conflates as
/// `states` does. It keeps neither the source nor itself alive, and ends with either: without its
/// source it stays at the last state. Until somebody reads it, it costs the source nothing.
///
/// `profile.user.name` reads `user`, and so tracks `user`; `profile[\.user.name]` tracks the name
/// alone. A path is evaluated again in every later state, so it must be valid in each one:
/// `profile[\.rows, at: 3]` is `nil` where there is no fourth row, `profile[\.rows[3]]` would trap.
/// A value that is not `Equatable` counts as changed with each state.
///
/// Writing goes through the source: by `reduce`, `sink`, or what its type sends.
@MainActor
@dynamicMemberLookup
public final class Observed<State: Sendable>: Observable {
  /// How the source's states come here.
  private enum Link {
    /// Nobody has read yet, so nothing follows the source.
    case idle(start: @MainActor (Observed) -> Link)
    /// A handler on the source; dropping this ends it.
    case handler(any Sendable)
    /// A task; dropping the bag cancels it.
    case task(TaskBag)
    /// There is nothing to follow.
    case constant
  }

  private let registrar = ObservationRegistrar()
  private var paths = TrackedPaths<State>()
  private var current: State
  private var link: Link

  /// Follows a source.
  ///
  /// - Parameter source: Whose state to show; it is not kept alive.
  /// - Complexity: O(1); following begins with the first read.
  public init(_ source: some StateSource<State>) {
    current = source.state
    if let view = source as? any KnotableView & StateSource<State> {
      link = Self.following(view: view)
    } else {
      link = Self.following(source.states)
    }
  }

  /// Shows a state that never changes, for previews and tests.
  ///
  /// ```swift
  /// #Preview { ProfileScreen(profile: Observed(constant: Profile(title: "Ann"))) }
  /// ```
  ///
  /// - Parameter state: The state to show.
  public init(constant state: State) {
    current = state
    link = .constant
  }

  /// The whole state; reading it tracks every change of it.
  public var state: State { self[\.self] }

  /// One property of the state; reading it tracks the property.
  ///
  /// - Parameter keyPath: The property.
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value { self[keyPath] }

  /// What a key path leads to; reading it tracks this key path alone.
  ///
  /// ```swift
  /// Text(profile[\.user.name])
  /// ```
  ///
  /// - Parameter keyPath: The path, which must be valid in every state.
  public subscript<Value>(_ keyPath: KeyPath<State, Value>) -> Value {
    if case .idle(let start) = link { link = start(self) }
    let token = paths.track(keyPath)
    registrar.access(self, keyPath: \.[tracked: token])
    return current[keyPath: keyPath]
  }

  /// One element of a collection; reading it tracks the element alone.
  ///
  /// ```swift
  /// Text(profile[\.rows, at: 3]?.title ?? "-")
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: The collection.
  ///   - index: Where the element is.
  /// - Returns: The element; `nil` where the collection has none.
  public subscript<Elements: Collection>(
    _ keyPath: KeyPath<State, Elements>, at index: Elements.Index
  ) -> Elements.Element? where Elements.Index: Hashable {
    self[keyPath.appending(path: \.[ifPresent: index])]
  }

  /// How many key paths are known here; those that nobody tracks any more leave soon.
  package var pathCount: Int { paths.count }

  /// Takes a newer state, and tells those who read what it changes.
  private func accept(_ state: State) {
    let changed = paths.changed(from: current, to: state)
    for path in changed { registrar.willSet(self, keyPath: path.key) }
    current = state
    for path in changed { registrar.didSet(self, keyPath: path.key) }
  }

  private static func following<View: KnotableView>(
    view: View
  ) -> Link where View.State == State {
    .idle { [weak view, states = view.states] observed in
      observed.current = states.currentAndRest().state
      guard let view else { return .constant }
      return .handler(view.observe { [weak observed] _, state in observed?.accept(state) })
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
      return .task(bag)
    }
  }
}

extension Observed {
  /// What the registrar knows a tracked key path by; it leads nowhere.
  nonisolated subscript(tracked token: PathToken) -> Void { () }
}

extension Collection {
  /// The element at an index, or `nil` where there is none.
  fileprivate subscript(ifPresent index: Index) -> Element? {
    // Comparing with the bounds is what tells, but for an index that never was one of this collection.
    index >= startIndex && index < endIndex ? self[index] : nil
  }
}
