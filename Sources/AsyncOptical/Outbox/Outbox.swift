public import AsyncKnot
internal import Synchronization

/// Stores each request before it is sent, sends it again after a restart, and removes it when it has
/// been carried out or has failed (O19).
///
/// ```swift
/// let outbox = try await Outbox<Edit>(
///   of: drafts, storage: FileStorage(file: file),
///   encode: { Array(try JSONEncoder().encode($0)) },
///   decode: { try JSONDecoder().decode(Edit.self, from: Data($0)) },
///   request: { .send($0) })
/// try await outbox.send(Edit(id: UUID(), text: "buy tea"))
/// ```
/// An item's `id` is stored and stays the same after a restart. Send it to the server, so that the server can ignore duplicates.
/// The outbox sends items in the order of the `send` calls. The policy of an item's request decides whether the item waits for
/// an earlier item to be done.
///
/// An item is done once its request has been carried out or has failed. A failed item is removed, so let the operation
/// `retry` while there is no network. A request that is cancelled, or whose operation throws a `CancellationError`, leaves its
/// item waiting. The item, and later items with the same serial id, wait until you call ``resume()`` or the app restarts.
///
/// The outbox is a source whose state contains the waiting items. It does not keep the holder alive. Requests that the outbox has
/// sent keep it alive until they have ended.
public actor Outbox<Item: Identifiable & Sendable>: StateSource where Item.ID: Sendable {
  /// The items of an outbox, and the problems of its storage.
  public struct State: Sendable {
    /// The items that are not done, in the order of the `send` calls.
    public internal(set) var waiting: [Item] = []
    /// Whether some waiting items are sent only after ``Outbox/resume()`` or in the next run.
    public internal(set) var isPaused = false
    /// The stored bytes of items that cannot be decoded; they stay stored until you discard them.
    public internal(set) var unreadable: [[UInt8]] = []
    /// The reason why the bytes of an earlier run could not be read, and the name under which they were set aside.
    ///
    /// Until the storage has set the bytes aside, nothing overwrites them: each `send` tries again to set them aside, and throws
    /// if that fails.
    public internal(set) var damage: (reason: any Error, keptAt: String?)?
    /// The error of the last write, if that write failed.
    ///
    /// The storage may then contain an item that is done, or an item whose `send` has thrown. The next run then sends that item
    /// with its stored id.
    public internal(set) var failure: (any Error)?
  }

  /// The knot of the outbox's state.
  public nonisolated let knot = Knot(State())

  private let archive: StateArchive<[[UInt8]]>
  private let encode: @Sendable (Item) throws -> [UInt8]
  private let decode: @Sendable ([UInt8]) throws -> Item
  private let lane: @Sendable (Item) -> Lane?
  private let start:
    @Sendable (
      Item, _ isWanted: @escaping @Sendable () -> Bool,
      _ mayStart: @escaping @Sendable () -> Bool,
      _ answer: @escaping @Sendable (DispatchOutcome) -> Void
    ) -> Caller?
  /// Returns when the holder has taken the messages that were sent so far, so that their changes are in its state.
  private let messagesTaken: @Sendable () async -> Void
  /// Makes the holder end the messages that were cancelled or whose turns were withdrawn; returns when the changes that these
  /// messages show are removed.
  ///
  /// Calls `isNotAdmitted` with the turn of each message that the holder has not admitted yet, or that has already ended.
  /// `resume()` withdraws these turns and sends the items again, because the holder may still refuse a message in its mailbox.
  private let review:
    @Sendable (_ messages: [Message], _ isNotAdmitted: @Sendable (OutboxTurns.Turn) -> Void) async
      ->
      Void
  private typealias Message = (turn: OutboxTurns.Turn, caller: Caller)
  /// The turns, under a lock, because the holder changes them on its own isolation when it starts or ends a message.
  ///
  /// If the holder first had to hop to the outbox, it might start the next message in the meantime.
  private let turns = Mutex(OutboxTurns())
  /// The number of calls that may still use the storage, and of messages that have not ended.
  private var runningCount = 0
  /// The calls of `close` that wait until `runningCount` is zero.
  private var closing: [CheckedContinuation<Void, Never>] = []
  /// The last message that the outbox has sent for each item, keyed by the item's number.
  private var messages: [Int: Message] = [:]
  private var entries = OutboxEntries<Item>()
  /// Whether the storage contains damaged bytes that it could not set aside.
  private var mustSetAside = false

  /// Reads the items of an earlier run and sends them in their original order; returns when their changes are in the holder's
  /// state.
  ///
  /// Traps if the holder's mailbox is bounded, because a full mailbox would drop stored items and send newer ones first. Also
  /// traps if the policy of an item's request is neither `.serial` nor `.concurrent`, because any other policy could drop or
  /// replace the request.
  ///
  /// - Parameters:
  ///   - holder: Carries out the requests.
  ///   - storage: Stores the waiting items; each change writes all of them. No other outbox may use the storage at the same time.
  ///   - encode: Encodes an item, with its id.
  ///   - decode: Decodes an item; `state.unreadable` keeps the bytes for which `decode` throws.
  ///   - request: Creates the request for an item.
  /// - Throws: An error from the storage if it cannot be read, ``WrongStorage`` if a state is stored there, or a
  ///   `CancellationError`. In all cases the storage is unchanged.
  public init<Holder: Dispatcher>(
    of holder: Holder, storage: any StateStorage,
    encode: @escaping @Sendable (Item) throws -> [UInt8],
    decode: @escaping @Sendable ([UInt8]) throws -> Item,
    request: @escaping @Sendable (Item) -> Holder.Dispatched
  ) async throws {
    precondition(
      holder.mailboxPolicy == .unbounded,
      "Outbox(of:): needs a holder that keeps every message; got \(Holder.self) with the "
        + "mailboxPolicy \(holder.mailboxPolicy), so use .unbounded")
    self.encode = encode
    self.decode = decode
    lane = { [weak holder] item in
      let lane = holder?.policy(for: request(item)).terms.lane
      let kind = lane?.kind ?? .concurrent
      precondition(
        kind == .serial || kind == .concurrent,
        "Outbox(of:): needs requests whose policy is .serial or .concurrent; got .\(kind), "
          + "which can drop or replace an item. Use .serial")
      return lane
    }
    start = { [weak holder] item, isWanted, mayStart, answer in
      guard let holder else {
        answer(.dropped)
        #if DEBUG
          Warning.printOnce(
            for: Holder.self,
            "An Outbox cannot send an item, because its \(Holder.self) was released. Keep a reference to the \(Holder.self)."
          )
        #endif
        return nil
      }
      return holder.send(request(item), while: isWanted, if: mayStart, then: answer)
    }
    messagesTaken = { [weak holder] in
      guard let holder else { return }
      await withCheckedContinuation { continuation in
        let receipt = Receipt(to: Caller(origin: nil)) { _ in continuation.resume() }
        holder.desk.post(.reached(receipt), to: holder)
      }
      // The holder takes its messages only while it is alive.
      withExtendedLifetime(holder) {}
    }
    review = { [weak holder] messages, isNotAdmitted in
      await holder?.review(messages.map { ($0.turn, $0.caller) }, isNotAdmitted: isNotAdmitted)
    }
    archive = StateArchive(itemsIn: storage)
    var damage: (any Error, String?)?
    switch try await archive.load() {
    case .state(let records, _), .outdated(let records):
      for bytes in records {
        let item = try? decode(bytes)
        entries.add(item, bytes, in: item.flatMap(lane))
      }
      entries.wasWritten(through: entries.list.lastNumber)
      // If the task is cancelled, a decoder may have thrown for that reason alone.
      try Task.checkCancellation()
    case .damaged(let reason, let place):
      damage = (reason, place)
      mustSetAside = place == nil
    case .nothing: break
    }
    publish { $0.damage = damage }
    sendStored()
    await messagesTaken()
  }

  /// Stores an item and sends it; returns when it is stored and its change is in the holder's state, without waiting for the
  /// request.
  ///
  /// If an earlier item with the same serial id was cancelled, the change is shown after ``resume()``. If the call throws, the
  /// item is not sent. After an error of the storage or a `CancellationError`, keep the item, and call `send` again with the same
  /// id. If the outbox also fails to remove the item from the storage, the next run may send it.
  ///
  /// - Throws: ``DuplicateItem``; ``Closed``; an error from `encode` or the storage; a `CancellationError` if the task was
  ///   cancelled before the storage was called.
  /// - Complexity: One write of all waiting items.
  public func send(_ item: Item) async throws {
    try begin()
    defer { finish() }
    guard !entries.contains(item.id) else { throw DuplicateItem(id: item.id) }
    let bytes = try encode(item)
    #if DEBUG
      // If the decoded item had another id, the next run would send that id, and the server could not ignore the duplicate. If
      // the task is cancelled, the decoder may throw for that reason alone.
      let decoded: String
      do {
        let id = try decode(bytes).id
        decoded =
          id == item.id ? "" : "which was decoded with the id \(id). Store the id in 'encode'"
      } catch { decoded = "for which 'decode' threw \(error)" }
      precondition(
        decoded.isEmpty || Task.isCancelled,
        "Outbox.send(_:): needs a 'decode' that returns an item with its old id; got the item with the id \(item.id), \(decoded)"
      )
    #endif
    let number = entries.add(item, bytes, in: lane(item))
    do {
      try await save()
    } catch {
      // Another save may have stored the item in the meantime, or may be about to store it.
      if entries.removeUnstored(number) {
        await saveAgain()
        throw error
      }
    }
    sendStored()
    await messagesTaken()
  }

  /// Sends the waiting items again, in order, and repeats a failed write.
  ///
  /// Items that the holder still has are not sent again. The call returns when the changes of the items that it has sent are in
  /// the holder's state.
  public func resume() async {
    guard (try? begin()) != nil else { return }
    defer { finish() }
    // The items are reviewed in order. If a request ends while its item is not done, its lane stops, and the later items of the
    // lane are no longer wanted.
    await review(messages.sorted { $0.key < $1.key }.map(\.value)) { turn in
      turns.withLock { $0.withdraw(turn) }
    }
    turns.withLock { $0.resume() }
    sendStored()
    publish()
    await messagesTaken()
    if knot.state.failure != nil { await saveAgain() }
  }

  /// Cancels the requests of the outbox, and returns when the storage is no longer used.
  ///
  /// ```swift
  /// await outbox.close()
  /// ```
  /// After that, another outbox may use the storage. Items that are not done stay stored, and their changes are removed from the
  /// holder's state. The operation of a cancelled request may still be running. The call waits for writes even if its task is
  /// cancelled. Later calls to ``resume()`` have no effect, and later calls to `send`, `discard` and `discardUnreadable` throw
  /// ``Closed``.
  public func close() async {
    turns.withLock { $0.isClosed = true }
    await review(Array(messages.values)) { _ in }
    publish()
    if runningCount > 0 { await withCheckedContinuation { closing.append($0) } }
  }

  /// Begins a call that uses the storage; the call must end with `finish()`.
  private func begin() throws(Closed) {
    if turns.withLock({ $0.isClosed }) { throw Closed() }
    runningCount += 1
  }

  private func finish() {
    runningCount -= 1
    guard runningCount == 0 else { return }
    for call in closing { call.resume() }
    closing = []
  }

  /// Removes a waiting item that has not started, so that it is not sent.
  ///
  /// <!-- sample: func remove(_ edit: Edit, from outbox: Outbox<Edit>) async throws { … } -->
  /// ```swift
  /// if try await !outbox.discard(edit.id) { print("the server may have it already") }
  /// ```
  /// The change that the item's request shows is also removed. An item that has started may have reached the server, so it stays
  /// until it is done. To stop it, first cancel the id of its policy.
  ///
  /// - Returns: `false` if no item with this id is waiting, or if the item has started.
  /// - Throws: An error from the storage, or a `CancellationError` if the task was cancelled before the storage was called. In
  ///   both cases the item is not sent in this run, but may still be stored.
  public func discard(_ id: Item.ID) async throws -> Bool {
    try begin()
    defer { finish() }
    if let number = entries.number(of: id), let message = messages[number] {
      await review([message]) { _ in }
    }
    guard let number = entries.number(of: id), turns.withLock({ $0.withdraw(number) }) else {
      return false
    }
    let message = messages.removeValue(forKey: number)
    entries.remove(number)
    // An item that is still being stored, or that was started before, does not wait behind the discarded one.
    turns.withLock { turns in
      let lanes = Set(entries.list.ready.filter { turns.isWaiting($0.number) }.map(\.lane))
      turns.resume { !lanes.contains($0) }
    }
    publish()
    if let message { await review([message]) { _ in } }
    try await save()
    return true
  }

  /// Removes the items that cannot be decoded, and returns their bytes.
  ///
  /// - Throws: An error from the storage, or a `CancellationError` if the task was cancelled before the storage was called. In
  ///   both cases `state.unreadable` keeps the bytes.
  @discardableResult
  public func discardUnreadable() async throws -> [[UInt8]] {
    try begin()
    defer { finish() }
    let removed = entries.list.unreadable.map(\.bytes)
    do { try await save(withoutUnreadable: true) } catch {
      // The storage may have written before it threw.
      await saveAgain()
      throw error
    }
    return removed
  }

  /// Sends the stored items that have no turn.
  private func sendStored() {
    let (ready, waiting) = (entries.list.ready, entries.waiting)
    let taken = turns.withLock { turns in
      ready.map { turns.take(for: $0.number, in: $0.lane) }
    }
    for (index, turn) in taken.enumerated() {
      guard let turn else { continue }
      runningCount += 1
      // The closures keep the outbox alive until the message has ended, because the outbox has to remove an item that is done.
      let caller = start(waiting[index]) {
        self.turns.withLock { $0.isValid(turn) }
      } _: {
        self.turns.withLock { $0.start(turn) }
      } _: { outcome in
        let isDone = outcome.endsItem
        let isCurrent = self.turns.withLock { $0.end(turn, isDone: isDone) }
        // Not a child of the message, whose cancellation would drop what the storage writes to the holder.
        Spawn.apart {
          if isCurrent { await self.end(turn.item, isDone: isDone) }
          await self.finish()
        }
      }
      messages[turn.item] = caller.map { (turn, $0) }
    }
  }

  private func end(_ number: Int, isDone: Bool) async {
    guard isDone else { return publish() }
    messages[number] = nil
    entries.remove(number)
    turns.withLock { $0.forget(number) }
    publish()
    try? await save()
  }

  /// Writes the entries; saves that wait for the storage share one write.
  ///
  /// A save without the unreadable entries runs alone. Otherwise another save might store these entries again, or might leave
  /// them out even though this save fails.
  private func save(withoutUnreadable isWithout: Bool = false) async throws {
    @Sendable func save(_ write: ([[UInt8]]) async throws -> Void) async throws {
      do {
        if await mustSetAside { await wasSetAside(try await archive.setAside()) }
        let list = await entries.list
        try await write(list.entries.filter { $0.isReadable || !isWithout }.map(\.bytes))
        await wasWritten(through: list.lastNumber, withoutUnreadable: isWithout)
      } catch {
        // The next save must not begin before the error of this one is in the state. The storage may throw a `CancellationError`
        // even though this task was not cancelled.
        if !Task.isCancelled || !(error is CancellationError) { await hasFailed(error) }
        throw error
      }
    }
    if isWithout { try await archive.alone(save) } else { try await archive.inTurn(save) }
  }

  /// Saves after a failure, even if the caller's task is cancelled.
  private func saveAgain() async { await Spawn.task { [self] in try? await save() }.value }

  private func wasSetAside(_ place: String?) {
    mustSetAside = false
    publish { $0.damage?.keptAt = place }
  }

  private func wasWritten(through number: Int, withoutUnreadable isWithout: Bool) {
    entries.wasWritten(through: number)
    if isWithout { entries.removeUnreadable() }
    publish { $0.failure = nil }
  }

  private func hasFailed(_ error: any Error) { publish { $0.failure = error } }

  private func publish(_ change: (inout State) -> Void = { _ in }) {
    // The old state is released after the write, because the `deinit` of an item may use a holder.
    let old = knot.state
    defer { withExtendedLifetime(old) {} }
    let isPaused = turns.withLock { $0.isPaused || $0.isClosed && !entries.waiting.isEmpty }
    knot.write(by: ObjectIdentifier(self)) { state in
      (state.waiting, state.unreadable) = (entries.waiting, entries.list.unreadable.map(\.bytes))
      state.isPaused = isPaused
      change(&state)
    }
  }
}
