public import AsyncKnot

/// Saves the state of a holder and brings it back in a later run.
///
/// ```swift
/// let archive = StateArchive(storage: FileStorage(url: url), coding: coding)
/// if case .damaged(let reason, let place) = await feed.restore(from: archive) {
///   print("starting afresh: \(reason); kept as \(place ?? "-")")
/// }
/// archive.follow(feed, in: feed.bag) { error in print("not saved: \(error)") }
/// ```
/// What is written begins with a line that names the version.
public struct StateArchive<State: Sendable>: Sendable {
  /// What a run found of the one before.
  public enum Outcome: Sendable {
    /// Nothing was ever saved.
    case nothing
    /// The state of an earlier run; `from` is its version where it had to be migrated.
    case state(State, migratedFrom: Int?)
    /// What was saved cannot be read; it was put aside, to the place that is named, where that went well.
    case damaged(reason: any Error, keptAt: String?)
  }

  /// What was saved has no line that names its version.
  public struct NoVersion: Error, Equatable, CustomStringConvertible {
    /// What happened, for the user to read.
    public var description: String { "it is not a saved state" }
  }

  private static var mark: String { "AsyncKnot state " }

  private let storage: any StateStorage
  private let coding: StateCoding<State>

  /// Creates an archive.
  ///
  /// - Parameters:
  ///   - storage: Where the bytes are kept.
  ///   - coding: How a state becomes bytes.
  public init(storage: any StateStorage, coding: StateCoding<State>) {
    self.storage = storage
    self.coding = coding
  }

  /// Saves a state in place of the last one.
  ///
  /// - Parameter state: What to save.
  /// - Throws: The error of the coding or of the storage; then the last state is still there.
  public func save(_ state: State) async throws {
    let head = Array("\(Self.mark)\(coding.version)\n".utf8)
    try await storage.write(head + coding.encode(state))
  }

  /// Reads what was saved; what cannot be read is put aside.
  ///
  /// - Returns: What there was.
  public func load() async -> Outcome {
    do {
      guard let bytes = try await storage.read() else { return .nothing }
      let (version, body) = try Self.split(bytes)
      guard version != coding.version else {
        return .state(try coding.decode(body), migratedFrom: nil)
      }
      guard version < coding.version else {
        throw StateCoding<State>.UnknownVersion(version: version)
      }
      return .state(try coding.migrate(body, version), migratedFrom: version)
    } catch {
      return .damaged(reason: error, keptAt: try? await storage.setAside())
    }
  }

  /// Saves each state from now on, one after another; a slow storage skips to the newest.
  ///
  /// - Parameters:
  ///   - holder: Whose state is saved; it is not kept alive, and its last state is saved when it goes.
  ///   - bag: What ends it; the holder's own bag would end it before the last state.
  ///   - onError: Hears why a state was not saved; the next one is tried all the same.
  /// - Returns: The entry that ends it.
  @discardableResult
  public func follow<Holder: StateSource>(
    _ holder: Holder, in bag: TaskBag, onError: @escaping @Sendable (any Error) -> Void
  ) -> TaskBag.Entry where Holder.State == State {
    bag.add { [states = holder.states] in
      for await state in states {
        do { try await save(state) } catch { onError(error) }
      }
    }
  }

  private static func split(_ bytes: [UInt8]) throws -> (version: Int, body: [UInt8]) {
    let head = bytes.prefix(mark.utf8.count + 20)
    guard let end = head.firstIndex(of: UInt8(ascii: "\n")), bytes.starts(with: mark.utf8),
      let version = Int(String(decoding: bytes[mark.utf8.count..<end], as: UTF8.self))
    else { throw NoVersion() }
    return (version, Array(bytes[(end + 1)...]))
  }
}

extension Opticle {
  /// Restores the state of an earlier run, if it can be read.
  ///
  /// - Parameter archive: Where the state is.
  /// - Returns: What there was.
  @discardableResult
  public func restore(from archive: StateArchive<State>) async -> StateArchive<State>.Outcome {
    let outcome = await archive.load()
    if case .state(let state, _) = outcome { restore(state) }
    return outcome
  }
}

extension ViewBindable {
  /// Restores the state of an earlier run, if it can be read.
  ///
  /// - Parameter archive: Where the state is.
  /// - Returns: What there was.
  @discardableResult
  public func restore(from archive: StateArchive<State>) async -> StateArchive<State>.Outcome {
    let outcome = await archive.load()
    if case .state(let state, _) = outcome { restore(state) }
    return outcome
  }
}
