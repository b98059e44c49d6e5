/// A message that is declared once, as a value: its policy and its work in place of a case in several
/// switches.
///
/// ```swift
/// actor Album: Opticle {
///   typealias Request = Work<Album>
///   typealias Response = Change<State>
///   struct State: Sendable { var photos: [String] = [], isLoading = false, message = "" }
///   let knot = Knot(State())
///   let service = PhotoService()
/// }
///
/// extension Work<Album> {
///   static let load = Work(.latest("load")) { album in
///     await album.commit(showing: { $0.isLoading = true }) { try await album.service.photos() }
///       mutate: { $0.photos = $1 }
///       recover: { $0.message = "\($1)" }
///   }
/// }
///
/// album.send(.load)
/// ```
/// A binder has `typealias Command = Work<…>` in the same way. An opticle keeps all that it does with
/// cases: only `dispatch`, `policy(for:)`, `mutate` and `recover` are written for it.
public struct Work<Holder: Dispatcher>: Sendable, CustomStringConvertible {
  /// The name in transitions.
  public let description: String
  /// How the message relates to earlier ones.
  public let policy: DispatchPolicy

  private(set) var expectation: (@Sendable (inout Holder.State) -> Void)?
  let body: @Sendable (isolated Holder) async -> Void
  var recovery: (@Sendable (inout Holder.State, any Error) -> Void)?

  /// Creates a message.
  ///
  /// - Parameters:
  ///   - policy: How it relates to earlier messages.
  ///   - name: The name in transitions; by default, that of the property or function around it. A
  ///     `static let` has the name of the type around it instead, so a name that begins with an upper-case
  ///     letter is replaced by file and line, as `Requests.swift:12`.
  ///   - file: That file.
  ///   - line: That line.
  ///   - body: Carries the message out on its holder, as `Opticle.dispatch(_:)` would.
  public init(
    _ policy: DispatchPolicy = .concurrent, name: String = #function, file: String = #fileID,
    line: Int = #line, _ body: @escaping @Sendable (isolated Holder) async -> Void
  ) {
    self.policy = policy
    description = label(name, file, line)
    self.body = body
  }
}

extension Work {
  /// Creates a request whose change is shown at once, also while it waits, and removed if it fails; see
  /// ``Opticle/expectation(of:)``.
  ///
  /// ```swift
  /// extension Work<Album> {
  ///   static func add(_ photo: String) -> Self {
  ///     Work(.serial("add"), expecting: { $0.add(photo) }) { try await $0.service.add(photo) }
  ///       recover: { $0.message = "\($1)" }
  ///   }
  /// }
  /// ```
  /// The change must change nothing where it was applied already: it is applied once more over what a
  /// load brings. Name, file and line are those of ``init(_:name:file:line:_:)``.
  public init(
    _ policy: DispatchPolicy = .concurrent,
    expecting change: @escaping @Sendable (inout Holder.State) -> Void,
    name: String = #function, file: String = #fileID, line: Int = #line,
    _ operation: @escaping @Sendable (isolated Holder) async throws -> Void,
    recover: @escaping @Sendable (inout Holder.State, any Error) -> Void
  ) where Holder: Opticle, Holder.Request == Self, Holder.Response == Change<Holder.State> {
    self.init(policy, name: name, file: file, line: line) { holder in
      await holder.commit(
        expecting: change, name: name, file: file, line: line, { try await operation(holder) },
        recover: recover)
    }
    expectation = change
  }

  /// What a commit has in place of the request that it answers: how to recover from its error.
  init(
    label: String, recovery: @escaping @Sendable (inout Holder.State, any Error) -> Void
  ) {
    (policy, description, body) = (.concurrent, label, { _ in })
    self.recovery = recovery
  }
}

/// A change of a state as a value: what a response, or an action, is where no type lists them.
public struct Change<State>: Sendable, CustomStringConvertible {
  /// The name in transitions.
  public let description: String
  let body: @Sendable (inout State) -> Void

  /// Creates a change: a reducer, which must read and write no holder's state but its `inout` parameter.
  ///
  /// Name, file and line are those of ``Work/init(_:name:file:line:_:)``.
  public init(
    name: String = #function, file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (inout State) -> Void
  ) {
    self.init(label: label(name, file, line), body)
  }

  init(label: String, _ body: @escaping @Sendable (inout State) -> Void) {
    (description, self.body) = (label, body)
  }
}

/// Returns a name, or file and line where that is a type's, as `#function` is around a `static let`.
func label(_ name: String, _ file: String, _ line: Int) -> String {
  guard name.first?.isUppercase == true else { return name }
  return "\(file.split(separator: "/").last ?? ""):\(line)"
}

extension Dispatcher where Dispatched == Work<Self> {
  /// The policy with which the message was declared.
  public nonisolated func policy(for message: Work<Self>) -> DispatchPolicy { message.policy }
}
