public import AsyncKnot
internal import Synchronization

/// Saves the state of a holder and brings it back in a later run.
///
/// ```swift
/// let archive = StateArchive(storage: FileStorage(file: file), coding: notesCoding)
/// if case .damaged(let reason, let place) = try await notes.restore(from: archive) {
///   print("starting afresh: \(reason); kept as \(place ?? "-")")
/// }
/// let saving = TaskBag()  // not the holder's own: that ends before its last state
/// archive.follow(notes, in: saving) { error in print("not saved: \(error)") }
///
/// saving.cancel()
/// await saving.wait()
/// try await archive.save(notes.state)
/// ```
/// The article <doc:KeepingAState> tells the whole story.
///
/// What is written begins with a line that names the version. Copies of an archive save one after another.
public struct StateArchive<State: Sendable>: Sendable {
  /// What a run found of the one before.
  public enum Outcome: Sendable {
    /// Nothing was ever saved.
    case nothing
    /// The state of an earlier run; `from` is its version where it had to be migrated.
    case state(State, migratedFrom: Int?)
    /// The state of an earlier run, which was not restored: another one was committed while it was read.
    case outdated(State)
    /// What was saved was read and makes no sense; it was put aside, to the place that is named, where
    /// that went well.
    case damaged(reason: any Error, keptAt: String?)
  }

  /// What was saved has no line that names its version.
  public struct NoVersion: Error, Equatable, CustomStringConvertible {
    /// Creates the error.
    public init() {}

    /// What happened, for the user to read.
    public var description: String { "it is not a saved state" }
  }

  private static var mark: String { "AsyncKnot state " }

  private let storage: any StateStorage
  private let coding: StateCoding<State>
  private let saves = SaveQueue()

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
  /// Saves of one archive are written one after another, in the order in which they were called for; one
  /// that has to wait is left out when a newer one waits behind it, and returns with that one's success
  /// or error. So the newest state is there in the end.
  ///
  /// - Parameter state: What to save.
  /// - Throws: The error of the coding or of the storage; then the last state is still there. A
  ///   `CancellationError` where the task was cancelled before the storage was asked.
  public func save(_ state: State) async throws {
    let head = Array("\(Self.mark)\(coding.version)\n".utf8)
    let bytes = try head + coding.encode(state)
    try await saves.save(bytes, to: storage)
  }

  /// Reads what was saved; what was read and makes no sense is put aside.
  ///
  /// - Returns: What there was.
  /// - Throws: The error of the storage where it cannot be read, and a `CancellationError` where the task
  ///   was cancelled; then nothing has changed.
  public func load() async throws -> Outcome {
    try Task.checkCancellation()
    guard let bytes = try await storage.read() else { return .nothing }
    do {
      let (version, body) = try Self.split(bytes)
      guard version != coding.version else {
        return .state(try coding.decode(body), migratedFrom: nil)
      }
      guard version < coding.version else {
        throw StateCoding<State>.UnknownVersion(version: version)
      }
      return .state(try coding.migrate(body, version), migratedFrom: version)
    } catch {
      try Task.checkCancellation()
      return .damaged(reason: error, keptAt: try? await storage.setAside())
    }
  }

  /// Saves each state from now on, one after another; a slow storage skips to the newest.
  ///
  /// It ends when the holder has gone and its last state was saved: wait for that with `bag.wait()`, or
  /// with `await` on the entry's bag. Cancelled, it leaves the state that was saved last.
  ///
  /// - Parameters:
  ///   - holder: Whose state is saved; it is not kept alive, and its last state is saved when it goes.
  ///   - bag: What ends it. Take one of your own: the holder's bag ends before its last state.
  ///   - onError: Hears why a state was not saved; the next one is tried all the same.
  /// - Returns: The entry that ends it.
  @discardableResult
  public func follow<Holder: StateSource>(
    _ holder: Holder, in bag: TaskBag, onError: @escaping @Sendable (any Error) -> Void
  ) -> TaskBag.Entry where Holder.State == State {
    bag.add { [states = holder.states] in
      for await state in states {
        do {
          try await save(state)
        } catch {
          if !(error is CancellationError) { onError(error) }
        }
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

extension Dispatcher {
  /// Restores the state of an earlier run, if it can be read.
  ///
  /// What was committed while the archive was read is newer, and stays: then the outcome is `.outdated`.
  ///
  /// - Parameter archive: Where the state is.
  /// - Returns: What there was.
  /// - Throws: The error of a storage that cannot be read, or a `CancellationError`; then nothing has changed.
  @discardableResult
  public func restore(
    from archive: StateArchive<State>
  ) async throws -> StateArchive<State>.Outcome {
    let version = knot.version
    let outcome = try await archive.load()
    guard case .state(let state, _) = outcome else { return outcome }
    try Task.checkCancellation()
    guard knot.version == version else { return .outdated(state) }
    restore(state)
    return outcome
  }
}
