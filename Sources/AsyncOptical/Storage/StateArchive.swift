public import AsyncKnot
internal import Synchronization

/// Saves the state of a holder and restores it in a later run.
///
/// ```swift
/// let archive = StateArchive(storage: FileStorage(file: file), coding: notesCoding)
/// if case .damaged(let reason, let place) = try await notes.restore(from: archive) {
///   print("starting afresh: \(reason); kept as \(place ?? "-")")
/// }
/// let saving = TaskBag()  // not the holder's own: that ends before its last state
/// archive.follow(notes, in: saving) { error in print("not saved: \(error)") }
///
/// await saving.cancelAndWait()
/// try await archive.save(notes.state)
/// ```
/// The article <doc:KeepingAState> shows an archive as a whole.
///
/// The saved bytes begin with a line that names the version. Copies of an archive share one queue:
/// their saves are written one after another.
public struct StateArchive<State: Sendable>: Sendable {
  /// What `load()` found.
  public enum Outcome: Sendable {
    /// Nothing was ever saved.
    case nothing
    /// The state of an earlier run; `migratedFrom` is its version if it was migrated.
    case state(State, migratedFrom: Int?)
    /// The state of an earlier run, which was not restored: another state was committed during the
    /// read, or the dispatch that asked for it was superseded or cancelled.
    case outdated(State)
    /// The saved bytes could not be decoded; `keptAt` is the place where they were set aside, if
    /// that succeeded.
    case damaged(reason: any Error, keptAt: String?)
  }

  /// The saved bytes have no line that names their version.
  public struct NoVersion: Error, Equatable, CustomStringConvertible {
    /// Creates the error.
    public init() {}

    /// A message for the user.
    public var description: String { "it is not a saved state" }
  }

  private static var mark: String { "AsyncKnot state " }

  private let storage: any StateStorage
  private let coding: StateCoding<State>
  private let saves = SaveQueue()

  /// Creates an archive.
  ///
  /// - Parameters:
  ///   - storage: Reads and writes the bytes.
  ///   - coding: Converts states to bytes and back.
  public init(storage: any StateStorage, coding: StateCoding<State>) {
    self.storage = storage
    self.coding = coding
  }

  /// Saves a state, replacing the last one.
  ///
  /// Saves of one archive are encoded and written one after another, in the order of the calls. A
  /// waiting save is replaced when a newer one waits behind it, and returns when that one has
  /// succeeded; if the newer one fails or is cancelled, this one is written. So the newest state
  /// that can be saved is saved in the end.
  ///
  /// - Parameter state: The state to save.
  /// - Throws: The error of the coding or of the storage; then the last saved state is still there.
  ///   A `CancellationError` if the task was cancelled before the storage was called.
  public func save(_ state: State) async throws {
    try await saves.save {
      let head = Array("\(Self.mark)\(coding.version)\n".utf8)
      try await storage.write(head + coding.encode(state))
    }
  }

  /// Reads the saved state; sets aside bytes that cannot be decoded.
  ///
  /// A save of this archive waits for the end of a load, and a load for the end of a save.
  ///
  /// - Returns: The state, or why there is none.
  /// - Throws: The error of a storage that cannot be read, or a `CancellationError` if the task was
  ///   cancelled; then nothing has changed.
  public func load() async throws -> Outcome {
    try await saves.alone { try await read() }
  }

  private func read() async throws -> Outcome {
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
  /// The task ends when the holder has gone and its last state was saved: wait for that with
  /// `bag.wait()`. If it is cancelled, the last saved state stays.
  ///
  /// - Parameters:
  ///   - holder: The holder whose states are saved; it is not kept alive, and its last state is
  ///     saved when it goes.
  ///   - bag: The bag in which the task runs. Use a bag other than the holder's, which is cancelled
  ///     before the last state is saved.
  ///   - onError: Called with the error of a save that failed; the next state is saved all the
  ///     same.
  /// - Returns: The entry that ends the task.
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
  /// A state that is committed during the read is newer and stays; then the outcome is `.outdated`,
  /// as in a dispatch that was superseded or cancelled meanwhile.
  ///
  /// - Parameter archive: The archive to read.
  /// - Returns: What the archive has found.
  /// - Throws: The error of a storage that cannot be read, or a `CancellationError`; then nothing
  ///   has changed.
  @discardableResult
  public func restore(
    from archive: StateArchive<State>
  ) async throws -> StateArchive<State>.Outcome {
    let version = knot.version
    let outcome = try await archive.load()
    guard case .state(let state, _) = outcome else { return outcome }
    try Task.checkCancellation()
    guard knot.version == version, restore(state) else { return .outdated(state) }
    return outcome
  }
}
