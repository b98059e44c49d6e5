internal import ExploreTesting
internal import Synchronization

/// An in-memory disk that distinguishes between written and synced data, so that a crash can lose unsynced changes.
///
/// ```swift
/// let disk = FaultyDisk()
/// let files = disk.open()
/// try await files.append(Array("line\n".utf8), to: "log")
/// try await files.sync()
/// disk.crash()  // keeps the line; without the sync, the crash could lose part of it, or all
/// ```
/// Changes are kept in the order in which they were made, so a crash keeps the first of the unsynced changes and loses the rest.
/// Part of the first lost write may be kept; a rename or a removal is kept as a whole or not at all. As on many file systems, a
/// rename may be kept without the unsynced contents of the file, so sync before you rename. The seed chooses how much is kept;
/// outside an exploration, everything is kept. You can use a disk from any isolation.
public final class FaultyDisk: Sendable {
  /// Thrown if the process that opened the files has crashed, or the files were opened again.
  public struct Gone: Error, Equatable {
    /// Creates the error.
    public init() {}
  }
  /// Thrown if the disk refuses a write, a rename or a removal; nothing changes.
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
    /// The changes since the last sync.
    var changes: [Change] = []
    /// How many times the disk was opened or has crashed.
    var lives = 0
    /// The closure to call when the process crashes at an access.
    var onCrash: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Creates an empty disk.
  public init() {}

  /// Opens the files of the disk; after this call, files that were opened earlier throw ``Gone``.
  public func open() -> Files { open(onCrash: nil) }

  func open(onCrash: (@Sendable () -> Void)?) -> Files {
    state.withLock { state in
      state.lives += 1
      state.onCrash = onCrash
      return Files(disk: self, life: state.lives)
    }
  }

  /// Simulates a power failure: open files stop working, and only a prefix of the unsynced changes is kept.
  public func crash() {
    let lost = state.withLock { state in
      state.lives += 1
      return state.changes
    }
    // The first option, which is the default, keeps everything.
    let kept = choose("changes kept", from: (0...lost.count).reversed())
    var rest = Array(lost.prefix(kept))
    if kept < lost.count, case .put(let bytes, let name, let isAppended) = lost[kept] {
      let counts = Set([0, bytes.count / 2, bytes.count - 1]).filter { $0 >= 0 }.sorted()
      let count = choose("bytes kept of the next change", from: counts.isEmpty ? [0] : counts)
      // Overwriting a file empties it first.
      if count > 0 || !isAppended && choose("file emptied", from: [false, true]) {
        rest.append(.put(Array(bytes.prefix(count)), name, isAppended: isAppended))
      }
    }
    Self.emptyRenamedFiles(in: &rest)
    state.withLock { [rest] state in
      for change in rest { Self.apply(change, to: &state.synced) }
      state.written = state.synced
      state.changes = []
    }
  }

  /// Chooses for each rename whether the unsynced contents of its file are lost.
  private static func emptyRenamedFiles(in changes: inout [Change]) {
    for index in changes.indices {
      guard case .rename(let renamed, _) = changes[index] else { continue }
      // Writes before `earlier` went to another file that had the same name.
      let earlier = changes[..<index].lastIndex { change in
        switch change {
        case .rename(renamed, _), .rename(_, renamed), .remove(renamed): true
        default: false
        }
      }
      let writes = changes[(earlier.map { $0 + 1 } ?? 0)..<index].indices.filter {
        if case .put(_, renamed, _) = changes[$0] { true } else { false }
      }
      guard !writes.isEmpty, choose("renamed file emptied", from: [false, true]) else { continue }
      for write in writes {
        // Appended bytes are lost, and the synced bytes before them stay.
        guard case .put(_, _, let isAppended) = changes[write] else { continue }
        changes[write] = .put([], renamed, isAppended: isAppended)
      }
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

  /// The files of a disk, opened by one life of a process.
  ///
  /// Other tasks may run before each access. An access throws ``FaultyDisk/Gone`` after the process has crashed. The
  /// process may also crash at the access itself, and the disk may refuse a write, a rename or a removal.
  public struct Files: Sendable {
    let disk: FaultyDisk
    let life: Int

    /// Reads a file as it was last written, synced or not.
    ///
    /// - Parameter name: The name of the file.
    /// - Returns: Its bytes; `nil` if there is no such file.
    /// - Throws: ``FaultyDisk/Gone`` if the process has crashed, or the files were opened again.
    public func read(_ name: String) async throws -> [UInt8]? {
      try await access { $0.written[name] }
    }

    /// Replaces the contents of a file in place.
    public func write(_ bytes: [UInt8], to name: String) async throws {
      try await change(.put(bytes, name, isAppended: false))
    }

    /// Appends bytes to a file.
    public func append(_ bytes: [UInt8], to name: String) async throws {
      try await change(.put(bytes, name, isAppended: true))
    }

    /// Renames a file atomically, and replaces any file that already has the new name.
    public func rename(_ name: String, to other: String) async throws {
      try await change(.rename(name, other))
    }

    /// Removes a file.
    public func remove(_ name: String) async throws { try await change(.remove(name)) }

    /// Makes everything written so far survive a crash.
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
      // Another thread may open the disk here.
      preemptionPoint()
      return try disk.state.withLock { state in
        guard state.lives == life else { throw Gone() }
        return body(&state)
      }
    }
  }
}
