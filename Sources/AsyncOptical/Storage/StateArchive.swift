public import AsyncKnot
internal import Synchronization

/// Saves the state of a holder and restores it in a later run.
///
/// ```swift
/// let archive = StateArchive<Notes.State>(
///   storage: FileStorage(file: file),
///   encode: { Array(try JSONEncoder().encode($0)) },
///   decode: { try JSONDecoder().decode(Notes.State.self, from: Data($0)) })
/// if case .damaged(let reason, let place) = try await notes.restore(from: archive) {
///   print("the saved notes are damaged: \(reason); kept as \(place ?? "-")")
/// }
/// let saving = TaskBag()  // not the holder's own bag, which is cancelled before the last state is saved
/// archive.follow(notes, in: saving) { error in print("not saved: \(error)") }
/// ```
/// The article <doc:KeepingAState> shows a complete example. Copies of an archive share one queue, so their saves are written one
/// after another. They also share a record of whether the stored bytes were restored or loaded, because a follower must not
/// replace them before that. Create only one archive for each storage, because two archives would overwrite each other's states.
public struct StateArchive<State: Sendable>: Sendable {
  /// The result of `load()` or `restore(from:)`.
  public enum Outcome: Sendable {
    /// Nothing is stored.
    case nothing
    /// The saved state; `migratedFrom` is its version if it was migrated.
    case state(State, migratedFrom: Int?)
    /// The saved state. It was not restored, because a change was committed earlier or because the calling dispatch was
    /// superseded or cancelled.
    case outdated(State)
    /// The saved bytes could not be decoded. `keptAt` says where they were set aside; `nil` if that failed.
    case damaged(reason: any Error, keptAt: String?)
  }

  /// The saved bytes cannot be read, because they have no version or an unknown one.
  public struct UnknownVersion: Error, Equatable, CustomStringConvertible {
    /// The version of the bytes; `nil` if they do not name a version.
    public let version: Int?

    /// Creates the error.
    public init(version: Int?) { self.version = version }

    /// A message for the user.
    public var description: String {
      version.map { "the state was saved with version \($0), which this program cannot read" }
        ?? "the bytes are not a saved state"
    }
  }

  /// A followed state was not saved, because the save would have replaced bytes that were neither restored nor loaded.
  public struct NotReplaced: Error, Equatable, CustomStringConvertible {
    /// Creates the error.
    public init() {}

    /// A message for the developer, with two ways to solve the problem.
    public var description: String {
      """
      follow(_:in:onError:) saves nothing, because it would replace a saved state that was not restored. \
      Call restore(from:) before the first commit, or save(_:) with the state that replaces it.
      """
    }
  }

  var content = StoredContent.state
  private var mark: String { content.mark }

  private let storage: any StateStorage
  private let version: Int
  private let encode: @Sendable (State) throws -> [UInt8]
  private let decode: @Sendable ([UInt8]) throws -> State
  private let migrate: @Sendable ([UInt8], Int) throws -> State
  private let saves = SaveQueue()
  let claim = Claim()

  /// Creates an archive; traps if `version` is negative.
  ///
  /// - Parameters:
  ///   - storage: Reads and writes the bytes, which begin with a line that names the version.
  ///   - version: The version of the bytes that `encode` returns. Raise it when `decode` cannot read older bytes.
  ///   - encode: Encodes a state.
  ///   - decode: Decodes a state from bytes of this version.
  ///   - migrate: Decodes a state from bytes of an older version; by default it throws
  ///     `UnknownVersion`.
  public init(
    storage: any StateStorage, version: Int = 1,
    encode: @escaping @Sendable (State) throws -> [UInt8],
    decode: @escaping @Sendable ([UInt8]) throws -> State,
    migrate: @escaping @Sendable (_ bytes: [UInt8], _ version: Int) throws -> State = {
      throw UnknownVersion(version: $1)
    }
  ) {
    precondition(
      version >= 0, "StateArchive(version:): needs a version of at least 0; got \(version)")
    self.storage = storage
    self.version = version
    self.encode = encode
    self.decode = decode
    self.migrate = migrate
  }

  /// Saves a state, replacing whatever is stored.
  ///
  /// If several saves wait, the newest is written, and the others return when it has succeeded. If it fails or is cancelled, the
  /// next older save is written. Saves that arrive later wait for the next write.
  ///
  /// - Parameter state: The state to save.
  /// - Throws: An error from `encode` or the storage, in which case the last saved state is still stored; or a
  ///   `CancellationError` if the task was cancelled before the storage was called.
  public func save(_ state: State) async throws {
    try await inTurn { write in
      try await write(state)
      // This must happen before a follower whose save was superseded continues, because the follower may then end.
      claim.saveAgain()
    }
  }

  /// Calls `body`, which may write, when its turn comes; one write is enough for all saves that are waiting at that time.
  func inTurn(
    _ body: @Sendable (_ write: (State) async throws -> Void) async throws -> Void
  ) async throws {
    try await saves.save { try await body(write) }
  }

  /// Calls `body`, which may write, while no other access runs.
  func alone(
    _ body: @Sendable (_ write: (State) async throws -> Void) async throws -> Void
  ) async throws {
    try await saves.alone {
      try Task.checkCancellation()
      try await body(write)
    }
  }

  /// Sets aside the stored bytes, if any, and returns where they are; must be called in the body of `inTurn` or `alone`.
  func setAside() async throws -> String? {
    try await storage.read() == nil ? nil : try await storage.setAside()
  }

  private func write(_ state: State) async throws {
    let head = Array("\(mark)\(version)\n".utf8)
    try await storage.write(head + encode(state))
    claim.wasSaved()
  }

  /// Reads the saved state, or sets aside bytes that cannot be decoded.
  ///
  /// After this call a follower may replace the stored state, because the caller has received that state. If a state that
  /// followers have saved is missing or damaged, the followers save the newest state again.
  ///
  /// - Returns: The state, or the reason why there is none.
  /// - Throws: The storage's error, ``WrongStorage``, or a `CancellationError`. In all cases the stored bytes are unchanged.
  public func load() async throws -> Outcome {
    let outcome = try await find()
    if case .state = outcome { claim.update { if $0 == .unread { $0 = .loaded } } }
    return outcome
  }

  /// Reads the saved state, but does not yet allow followers to replace it.
  fileprivate func find() async throws -> Outcome { try await saves.alone { try await read() } }

  private func read() async throws -> Outcome {
    try Task.checkCancellation()
    guard let bytes = try await bytes() else {
      claim.wasLost(isEmpty: true)
      return .nothing
    }
    if bytes.starts(with: content.other.mark.utf8) { throw WrongStorage(expected: content) }
    do {
      let (found, body) = try split(bytes)
      if found == version { return .state(try decode(body), migratedFrom: nil) }
      guard found < version else { throw UnknownVersion(version: found) }
      return .state(try migrate(body, found), migratedFrom: found)
    } catch {
      try Task.checkCancellation()
      let place = try? await storage.setAside()
      if place == nil { try Task.checkCancellation() }
      claim.wasLost(isEmpty: place != nil)
      return .damaged(reason: error, keptAt: place)
    }
  }

  /// Returns the stored bytes; throws if the task was cancelled while the storage read them.
  private func bytes() async throws -> [UInt8]? {
    let bytes = try await storage.read()
    try Task.checkCancellation()
    return bytes
  }

  /// Saves the current state and each later one, in order; while the storage is slow, intermediate states are skipped.
  ///
  /// This method never replaces bytes of an earlier run that were neither restored nor loaded. While such bytes are stored, it
  /// saves nothing, and `onError` receives one ``NotReplaced``. Once this archive has restored, loaded or saved a state, the
  /// newest state is saved. If the state was only loaded and a later restore returns ``Outcome/outdated(_:)``, the saved bytes
  /// again count as neither restored nor loaded. If a load or a restore finds that the saved bytes are missing or damaged, the
  /// newest state is saved again. If a save fails, `onError` receives the error, and the next state is saved as usual.
  ///
  /// The task that saves the states does not keep the holder alive. It ends when the holder has been released and its last state
  /// has been saved. To wait for that, call `bag.wait()`. Do not pass the holder's own bag, which is cancelled before the last
  /// state is saved; a debug build prints a warning, at most once for each type of state.
  @discardableResult
  public func follow<Holder: StateSource>(
    _ holder: Holder, in bag: TaskBag, onError: @escaping @Sendable (any Error) -> Void
  ) -> TaskBag.Entry where Holder.State == State {
    #if DEBUG
      if bag === holder.knot.bag {
        Warning.printOnce(
          for: Self.self,
          """
          \(Self.self).follow(_:in:onError:): needs a bag that is not cancelled before the last state is saved; \
          got the bag of \(Holder.self). Pass another bag, such as \
          'let saving = TaskBag()', and call 'await saving.wait()' at the end.
          """)
      }
    #endif
    // The task belongs to the bag, not to the message that calls this method.
    return CurrentMessage.without {
      bag.add { [states = holder.states] in await save(states, onError: onError) }
    }
  }

  /// Saves each state of a follower's sequence, except those that a newer state replaces in the meantime.
  private func save(
    _ states: StateSequence<State>, onError: @escaping @Sendable (any Error) -> Void
  ) async {
    let follower = Claim.Follower()
    claim.add(follower)
    @Sendable func saveNewest() async {
      do {
        try await save(newestOf: states, for: follower)
      } catch let refusal as Claim.Refusal {
        if !refusal.isRepeated { onError(NotReplaced()) }
      } catch {
        // The storage may throw a `CancellationError` even though this task was not cancelled.
        if !Task.isCancelled || !(error is CancellationError) { onError(error) }
      }
    }
    await withDiscardingTaskGroup { group in
      group.addTask { for await _ in follower.retries { await saveNewest() } }
      for await _ in states { await saveNewest() }
      follower.finish()
    }
    claim.remove(follower)
  }

  private func save(
    newestOf states: StateSequence<State>, for follower: Claim.Follower
  ) async throws {
    try await saves.save {
      if try !claim.allows(follower), try await bytes() != nil {
        try claim.refuse(follower)
      }
      // Read the state after the check, because a restore may have changed the state and allowed this save.
      try await write(states.currentAndRest().state)
    }
  }

  private func split(_ bytes: [UInt8]) throws -> (version: Int, body: [UInt8]) {
    let head = bytes.prefix(mark.utf8.count + 20)
    guard let end = head.firstIndex(of: UInt8(ascii: "\n")), bytes.starts(with: mark.utf8),
      let version = Int(String(decoding: bytes[mark.utf8.count..<end], as: UTF8.self))
    else { throw UnknownVersion(version: nil) }
    return (version, Array(bytes[(end + 1)...]))
  }
}

extension Dispatcher {
  /// Restores the saved state, if it can be read and nothing has been committed yet; returns what the archive contains, and
  /// throws like ``StateArchive/load()``.
  public func restore(
    from archive: StateArchive<State>
  ) async throws -> StateArchive<State>.Outcome {
    let outcome = try await archive.find()
    guard case .state(let state, _) = outcome else { return outcome }
    try Task.checkCancellation()
    let desk = desk
    guard desk.isUncommitted(knot), desk.mayWrite, desk.restoreBase(state, on: self) else {
      archive.claim.update { if $0 == .loaded { $0 = .unread } }
      return .outdated(state)
    }
    archive.claim.update { $0 = .ours }
    return outcome
  }
}
