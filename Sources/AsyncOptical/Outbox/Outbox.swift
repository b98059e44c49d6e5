public import AsyncKnot

/// Requests that survive the process: each is stored before it is sent, sent again after a restart, and
/// removed when it is answered (O19).
///
/// ```swift
/// let outbox = try await Outbox<Edit>(
///   of: drafts, storage: FileStorage(file: file),
///   encode: { Array(try JSONEncoder().encode($0)) },
///   decode: { try JSONDecoder().decode(Edit.self, from: Data($0)) },
///   request: { .send($0) })
/// try await outbox.send(Edit(id: UUID(), text: "buy tea"))
/// ```
/// An item's `id` is stored with it and stays the same over restarts: give it to the server, which can then
/// tell a repetition. Items are sent in the order made; the policy of the request says whether one
/// waits for the answer of the one before it.
///
/// An item is answered when its request was carried out or has failed: so let the operation `retry` while
/// there is no network. An item whose request was superseded, cancelled or dropped stays stored, and is
/// sent again by ``resume()`` or after a restart. The outbox is a source of what waits, and does not keep
/// the holder alive.
public actor Outbox<Item: Identifiable & Sendable>: StateSource where Item.ID: Sendable {
  /// What waits in an outbox.
  public struct State: Sendable {
    /// The items that are not answered, in the order made.
    public internal(set) var waiting: [Item] = []
    /// The stored bytes of items that cannot be decoded; they stay stored until they are discarded.
    public internal(set) var unreadable: [[UInt8]] = []
    /// Why nothing of an earlier run could be read, and where its bytes were set aside, if they were.
    public internal(set) var damage: (reason: any Error, keptAt: String?)?
    /// The error of the last write, if it has failed: then an answered item may be sent again after a restart.
    public internal(set) var failure: (any Error)?
  }

  /// An item of the same id waits for its answer.
  public struct WaitsAlready: Error, CustomStringConvertible {
    /// The id.
    public let id: Item.ID
    /// A message for the developer.
    public var description: String {
      "Outbox.send(_:): an item of the id \(id) waits for its answer; each item needs an id of its own"
    }
  }

  /// The knot of what waits.
  public nonisolated let knot = Knot(State())

  private let archive: StateArchive<[[UInt8]]>
  private let encode: @Sendable (Item) throws -> [UInt8]
  private let start: @Sendable (Item, @escaping @Sendable (DispatchOutcome) -> Void) -> Void
  private var entries = OutboxEntries<Item>()

  /// Reads what an earlier run has left, and sends it in the order made.
  ///
  /// - Parameters:
  ///   - holder: Carries the requests out.
  ///   - storage: Stores all that waits, at each change; nobody else may use it.
  ///   - encode: Encodes an item, with its id.
  ///   - decode: Decodes an item; bytes for which it throws are kept, and told in `state.unreadable`.
  ///   - request: Makes the request of an item.
  /// - Throws: An error of the storage, or a `CancellationError`; then nothing has changed.
  public init<Holder: Dispatcher>(
    of holder: Holder, storage: any StateStorage,
    encode: @escaping @Sendable (Item) throws -> [UInt8],
    decode: @escaping @Sendable ([UInt8]) throws -> Item,
    request: @escaping @Sendable (Item) -> Holder.Dispatched
  ) async throws {
    self.encode = encode
    start = { [weak holder] item, answer in
      guard let holder else { return answer(.dropped) }
      holder.send(request(item), then: answer)
    }
    archive = StateArchive(
      storage: storage, encode: OutboxRecords.encode, decode: OutboxRecords.decode)
    var damage: (any Error, String?)?
    switch try await archive.load() {
    case .state(let records, _), .outdated(let records):
      for bytes in records { entries.add(try? decode(bytes), bytes, isStored: true) }
    case .damaged(let reason, let place): damage = (reason, place)
    case .nothing: break
    }
    publish { $0.damage = damage }
    sendStored()
  }

  /// Stores an item and sends it; returns when it is stored, before it is answered.
  ///
  /// - Throws: ``WaitsAlready``; the error of `encode` or of the storage; a `CancellationError` if the task is
  ///   cancelled before the storage was called. Then the item is not sent, and does not wait.
  /// - Complexity: One write of all that waits.
  public func send(_ item: Item) async throws {
    guard !entries.contains(item.id) else { throw WaitsAlready(id: item.id) }
    let number = entries.add(item, try encode(item), isStored: false)
    do {
      try await save()
    } catch {
      // Another save may have stored it all the same, or is about to.
      if entries.removeUnstored(number) {
        await Spawn.task { [self] in try? await save() }.value
        throw error
      }
    }
    sendStored()
  }

  /// Sends again what was superseded, cancelled or dropped, in the order made.
  public func resume() { sendStored() }

  /// Removes what cannot be decoded; returns its bytes.
  ///
  /// - Throws: The error of the storage; then the bytes are still stored.
  @discardableResult
  public func discardUnreadable() async throws -> [[UInt8]] {
    let removed = entries.removeUnreadable()
    publish()
    do { try await save() } catch {
      entries.putBack(removed)
      publish()
      throw error
    }
    return removed.map(\.bytes)
  }

  private func sendStored() {
    for entry in entries.takeUnsent() {
      guard let item = entry.item else { continue }
      start(item) { [weak self] outcome in
        Spawn.task { await self?.end(entry.number, outcome) }
      }
    }
  }

  private func end(_ number: Int, _ outcome: DispatchOutcome) async {
    switch outcome {
    case .carriedOut, .failed: entries.remove(number)
    case .superseded, .dropped, .fresh, .joined, .left, .deadlock:
      return entries.markUnsent(number)
    }
    publish()
    try? await save()
  }

  /// Writes what waits at that moment; saves that wait for the storage share one write.
  private func save() async throws {
    do {
      try await archive.inTurn { [self] write in
        let (numbers, records) = await entries.stored
        try await write(records)
        await wasWritten(numbers)
      }
    } catch {
      if !(error is CancellationError) { publish { $0.failure = error } }
      throw error
    }
  }

  private func wasWritten(_ numbers: Set<Int>) {
    entries.wasWritten(numbers)
    publish { $0.failure = nil }
  }

  private func publish(_ change: (inout State) -> Void = { _ in }) {
    knot.write(by: ObjectIdentifier(self)) { state in
      (state.waiting, state.unreadable) = entries.split
      change(&state)
    }
  }
}
