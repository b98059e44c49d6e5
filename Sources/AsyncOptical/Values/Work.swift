/// A request or command that is declared in one place, as a value with a policy and a body, instead of as a
/// case in several switches.
///
/// ```swift
/// actor Album: Opticle {
///   typealias Request = Work<Album>
///   typealias Response = Change<State>
///   struct State: Sendable, Equatable { var photos: [String] = [], isLoading = false, message = "" }
///   let knot = Knot(State())
///   let service = PhotoService()
/// }
///
/// extension Work<Album> {
///   static let load = Work(.latest("load")) { album in
///     await album.load(showing: { $0.isLoading = true }) { try await album.service.photos() }
///       mutate: { ($0.photos, $0.message) = ($1, "") }
///       recover: { $0.message = "\($1)" }
///   }
/// }
///
/// album.send(.load)
/// ```
/// The package implements `dispatch`, `policy(for:)`, `expectation(for:)`, `mutate` and `recover` for this opticle. For a binder,
/// declare `typealias Command = Work<Self>` and `typealias Action = Change<State>`. The package then implements
/// `binding(command:)`, `policy(for:)` and `reduce`. Everything else works as it does with enum cases.
public struct Work<Holder: Dispatcher>: Sendable, CustomStringConvertible {
  /// The name that transitions show.
  public let description: String
  /// The policy, which decides how the message affects earlier ones and when it starts.
  public let policy: DispatchPolicy

  private(set) var expectation: (@Sendable (inout Holder.State) -> Void)?
  let body: @Sendable (isolated Holder) async -> Void
  var recovery: (@Sendable (inout Holder.State, any Error) -> Void)?

  /// Creates a message.
  ///
  /// - Parameters:
  ///   - policy: Decides how the message affects earlier ones and when it starts.
  ///   - name: The name that transitions show; by default the name of the enclosing property or function. In a `static let` the
  ///     default is the name of the enclosing type, so a name that begins with an upper-case letter is replaced with the file and
  ///     line, such as `Requests.swift:12`.
  ///   - file: The file for the name.
  ///   - line: The line for the name.
  ///   - body: Runs the message on its holder, as `Opticle.dispatch(_:)` would.
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
  /// Creates a request whose change is shown immediately, even while the request waits, and is removed if the request fails.
  ///
  /// ```swift
  /// extension Work<Album> {
  ///   static func add(_ photo: String) -> Self {
  ///     Work(.serial("add"), expecting: { $0.add(photo) }) { try await $0.service.add(photo) }
  ///       recover: { $0.message = "\($1)" }
  ///   }
  /// }
  /// ```
  /// The change may be applied again over the response of a load, so it must not change anything if it has already been applied;
  /// see ``Opticle/expectation(for:)``. The parameters `name`, `file` and `line` work as in ``init(_:name:file:line:_:)``.
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

  /// Creates a request whose change is shown immediately and replaced by the result of its operation.
  ///
  /// ```swift
  /// extension Work<Album> {
  ///   static func sign(_ photo: String) -> Self {
  ///     Work(.serial("sign"), expecting: { $0.add(photo) }) { try await $0.service.sign(photo) }
  ///       mutate: { $0.add($1) } recover: { $0.message = "\($1)" }
  ///   }
  /// }
  /// ```
  /// `mutate` receives a state without the expected change. In all other respects this initializer works like the one without
  /// `mutate`.
  public init<Value: Sendable>(
    _ policy: DispatchPolicy = .concurrent,
    expecting change: @escaping @Sendable (inout Holder.State) -> Void,
    name: String = #function, file: String = #fileID, line: Int = #line,
    _ operation: @escaping @Sendable (isolated Holder) async throws -> Value,
    mutate: @escaping @Sendable (inout Holder.State, Value) -> Void,
    recover: @escaping @Sendable (inout Holder.State, any Error) -> Void
  ) where Holder: Opticle, Holder.Request == Self, Holder.Response == Change<Holder.State> {
    self.init(policy, name: name, file: file, line: line) { holder in
      await holder.commit(
        expecting: change, name: name, file: file, line: line, { try await operation(holder) },
        mutate: mutate, recover: recover)
    }
    expectation = change
  }

  /// Creates a request that represents a commit: it has the commit's name and handles the commit's error, but runs nothing.
  init(
    label: String, recovery: @escaping @Sendable (inout Holder.State, any Error) -> Void
  ) {
    (policy, description, body) = (.concurrent, label, { _ in })
    self.recovery = recovery
  }
}

/// A change of a state as a value, for a response or an action that is not a case of your own type.
public struct Change<State>: Sendable, CustomStringConvertible {
  /// The name that transitions show.
  public let description: String
  let body: @Sendable (inout State) -> Void

  /// Creates a change from a reducer, which must not use a holder's state except its `inout` parameter.
  ///
  /// The parameters `name`, `file` and `line` work as in ``Work/init(_:name:file:line:_:)``.
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

/// Returns the name, or the file and line if the name begins with a capital letter, because `#function` is the name of the type
/// in a `static let`.
func label(_ name: String, _ file: String, _ line: Int) -> String {
  guard name.first?.isUppercase == true else { return name }
  return "\(file.split(separator: "/").last ?? ""):\(line)"
}

extension Dispatcher where Dispatched == Work<Self> {
  /// Returns the policy with which the message was declared.
  public nonisolated func policy(for message: Work<Self>) -> DispatchPolicy { message.policy }
}

extension Work: Named {}
