internal import ExploreTesting
internal import Synchronization

/// A disk in memory that knows what is written, and what is synced: a crash keeps any prefix of what was not.
///
/// ```swift
/// let disk = FaultyDisk()
/// let files = disk.open()
/// try await files.append(Array("line\n".utf8), to: "log")
/// try await files.sync()
/// disk.crash()  // the line stays; without the sync it, or its end, may be gone
/// ```
/// Changes are kept in the order in which they were made, so what is lost is the end of all that was not synced; the last change
/// that stays may stay in part, unless it renames or removes. How much stays, the seed chooses; outside of an exploration all
/// does. A disk may be used from any isolation.
public final class FaultyDisk: Sendable {
  /// The process that had opened the files has crashed, or somebody else has opened them.
  public struct Gone: Error, Equatable {
    /// Creates the error.
    public init() {}
  }
  /// The disk has refused a write, of which nothing was done.
  public struct Refused: Error, Equatable {
    /// Creates the error.
    public init() {}
  }

  private enum Change {
    case put([UInt8], String, isAppended: Bool)
    case rename(String, String)
    case remove(String)
  }

  private struct State {
    var synced: [String: [UInt8]] = [:]
    var written: [String: [UInt8]] = [:]
    /// What was written since the last sync.
    var changes: [Change] = []
    /// How often it was opened, or has crashed.
    var lives = 0
    /// What crashes with it.
    var onCrash: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Creates an empty disk.
  public init() {}

  /// Opens the files; those that were opened before do nothing any more.
  public func open() -> Files { open(onCrash: nil) }

  func open(onCrash: (@Sendable () -> Void)?) -> Files {
    state.withLock { state in
      state.lives += 1
      state.onCrash = onCrash
      return Files(disk: self, life: state.lives)
    }
  }

  /// Takes the power away: the files that are open do nothing any more, and of what is not synced a prefix stays.
  public func crash() {
    let lost = state.withLock { state in
      state.lives += 1
      return state.changes
    }
    // The plain choice is that all is there.
    let kept = choose("changes kept", from: (0...lost.count).reversed())
    var rest = Array(lost.prefix(kept))
    if kept < lost.count, case .put(let bytes, let name, let isAppended) = lost[kept] {
      let counts = Set([0, bytes.count / 2, bytes.count - 1]).filter { $0 >= 0 }.sorted()
      let count = choose("bytes kept of the next", from: counts.isEmpty ? [0] : counts)
      // A file that is written anew is empty first.
      if count > 0 || !isAppended && choose("file emptied", from: [false, true]) {
        rest.append(.put(Array(bytes.prefix(count)), name, isAppended: isAppended))
      }
    }
    state.withLock { [rest] state in
      for change in rest { Self.apply(change, to: &state.synced) }
      state.written = state.synced
      state.changes = []
    }
  }

  private static func apply(_ change: Change, to files: inout [String: [UInt8]]) {
    switch change {
    case .put(let bytes, let name, true): files[name, default: []] += bytes
    case .put(let bytes, let name, false): files[name] = bytes
    case .rename(let name, let other):
      if let bytes = files.removeValue(forKey: name) { files[other] = bytes }
    case .remove(let name): files[name] = nil
    }
  }

  /// The files of a disk, as one life of a process has opened them.
  ///
  /// Other tasks may come before each access. Each throws ``FaultyDisk/Gone`` once the process has crashed, which it may do at
  /// that moment, and writes may be refused.
  public struct Files: Sendable {
    let disk: FaultyDisk
    let life: Int

    /// Reads a file as it is written, synced or not.
    ///
    /// - Parameter name: The file.
    /// - Returns: Its bytes; `nil` if there is none of that name.
    /// - Throws: ``FaultyDisk/Gone``.
    public func read(_ name: String) async throws -> [UInt8]? {
      try await access { $0.written[name] }
    }

    /// Replaces the bytes of a file, in place.
    public func write(_ bytes: [UInt8], to name: String) async throws {
      try await change(.put(bytes, name, isAppended: false))
    }

    /// Adds bytes at the end of a file.
    public func append(_ bytes: [UInt8], to name: String) async throws {
      try await change(.put(bytes, name, isAppended: true))
    }

    /// Gives a file another name, as a whole; a file that has it goes.
    public func rename(_ name: String, to other: String) async throws {
      try await change(.rename(name, other))
    }

    /// Removes a file.
    public func remove(_ name: String) async throws { try await change(.remove(name)) }

    /// Returns when all that is written stays, whatever comes.
    public func sync() async throws {
      try await access { state in
        state.synced = state.written
        state.changes = []
      }
    }

    func moment() async throws { try await access { _ in } }

    private func change(_ change: Change) async throws {
      try await access(isWrite: true) { state in
        FaultyDisk.apply(change, to: &state.written)
        state.changes.append(change)
      }
    }

    private func access<Result: Sendable>(
      isWrite: Bool = false, _ body: @Sendable (inout State) -> Result
    ) async throws -> Result {
      await Task.yield()
      let onCrash = try disk.state.withLock { state in
        guard state.lives == life else { throw Gone() }
        return state.onCrash
      }
      if fault("crash") {
        onCrash?() ?? disk.crash()
        throw Gone()
      }
      if isWrite, fault("refused write") { throw Refused() }
      return disk.state.withLock { body(&$0) }
    }
  }
}
