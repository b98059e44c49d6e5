/// A base state and the later changes, ordered by their positions (O15).
///
/// Only the holder's isolation uses this value.
///
/// The position of a change is the time at which its request began or, without a request, the time of its commit. A load replaces
/// the base and keeps the changes. The first change of the log becomes part of the base once the change is settled and every load
/// that began before it was settled has ended.
///
/// - Complexity: Finding one of *k* changes is O(log *k*). See `close(_:_:)` for the cost of a step.
struct ChangeLog<State: Sendable, Edit: Sendable, Cause: Sendable> {
  /// Applies a change.
  ///
  /// Returns the value that the change replaced, if any, so that it is released after the step.
  typealias Apply = (Edit, inout State) -> (any Sendable)?

  enum Status: Sendable {
    /// The request has begun. Its response will contain the change.
    case reserved
    /// The change is shown, but its request has not been answered. The transition that confirms the change has this cause.
    case pending(Edit, Cause)
    /// The change is shown until the request ends.
    case showing(Edit)
    /// The request of the change was answered at the time `at`, or the change needs no response and was committed at that time.
    case settled(Edit, at: Int)

    var edit: Edit? {
      switch self {
      case .reserved: nil
      case .pending(let edit, _), .showing(let edit), .settled(let edit, _): edit
      }
    }
  }

  struct Entry: Sendable {
    let place: Int
    /// The position of the request that shows the change.
    let request: Int
    /// The message to which the change belongs; `nil` if there is none or the change is settled.
    var message: Letter?
    var status: Status
    /// The cause of the transition that removes the change if the change is never settled.
    var withdrawal: Cause?

    var isSettled: Bool { if case .settled = status { true } else { false } }
    var isPending: Bool { !isSettled && status.edit != nil }
    var isShowing: Bool { if case .showing = status { true } else { false } }
  }

  /// The effect of a step on the shown state.
  enum Effect {
    case none
    /// The change is applied to the shown state.
    case apply(Edit)
    /// The shown state is recomputed from the base.
    case fold
  }

  /// Values that steps have removed.
  ///
  /// They are released after the step, outside all locks (S18).
  struct Spent: Sendable {
    fileprivate(set) var entries: [Entry] = []
    fileprivate(set) var states: [State] = []
    fileprivate(set) var values: [any Sendable] = []
  }

  /// The state below the changes; `nil` while no changes are applied, because the shown state is then the base.
  private var base: State?
  /// The base with the settled changes; `nil` while it is not needed or equals the shown state.
  private(set) var confirmed: State?
  private var isConfirmedStale = false
  private var spent = Spent()

  /// The changes, beginning at index `head`.
  ///
  /// The entries before `head` are already part of the base.
  private var entries: [Entry] = []
  private var head = 0
  private var unsettledCount = 0
  /// The number of changes that are shown but not settled.
  private(set) var pendingCount = 0
  private var lastSettled = (place: 0, at: 0)
  /// The loads whose responses can still be applied, in the order in which the loads began.
  private var loads: [(place: Int, message: Letter?)] = []
  private var now = 0

  /// Whether the log is empty and no load is in flight.
  var isIdle: Bool { count == 0 && loads.isEmpty }

  /// The number of changes that are not part of the base.
  var count: Int { entries.count - head }

  mutating func takeSpent() -> Spent {
    defer { spent = Spent() }
    return spent
  }
}

/// The steps of the log. The caller ends each step that changes the base or the shown state with `close(_:_:)`.
extension ChangeLog {
  /// Applies a change that needs no response, and adds it to the log unless the log is idle and has no base.
  mutating func commit(_ edit: Edit, over shown: @autoclosure () -> State, _ apply: Apply) -> Effect
  {
    if isIdle, base == nil { return .apply(edit) }
    add(.settled(edit, at: now + 1), over: shown())
    confirm(edit, at: now, apply)
    return .apply(edit)
  }

  /// Begins a request, or adds a change to one that has begun.
  mutating func begin(
    _ status: Status, for request: Int? = nil, of message: Letter?, withdrawal: Cause? = nil,
    over shown: @autoclosure () -> State? = nil
  ) -> (place: Int, effect: Effect) {
    unsettledCount += 1
    unsafe message?.openCount += 1
    guard let edit = status.edit else {
      add(status, for: request, of: message, withdrawal: withdrawal)
      return (now, .none)
    }
    pendingCount += 1
    add(status, for: request, of: message, withdrawal: withdrawal, over: shown())
    return (now, .apply(edit))
  }

  /// Replaces the expected change of a request with another one.
  mutating func expect(_ edit: Edit, _ cause: Cause, at place: Int) -> Effect {
    guard let index = index(of: place) else { return .none }
    spent.entries.append(entries[index])
    entries[index].status = .pending(edit, cause)
    return .fold
  }

  /// Settles the change at a position with the response's edit, or with the edit that is shown if `answer` is `nil`.
  ///
  /// Returns `nil` if there is no such change, or if neither edit exists.
  mutating func settle(
    _ place: Int, as answer: Edit?, over shown: @autoclosure () -> State, _ apply: Apply
  ) -> Effect? {
    guard let index = index(of: place), let edit = answer ?? entries[index].status.edit else {
      return nil
    }
    let isFirst = base == nil && index == head && loads.isEmpty
    if !isFirst { capture(shown()) }
    let isLast = index == entries.count - 1 && !entries[index].isPending
    close(entries[index])
    now += 1
    entries[index].message = nil
    entries[index].withdrawal = nil
    entries[index].status = .settled(edit, at: now)
    confirm(edit, at: place, apply)
    if answer == nil { return Effect.none }
    return isFirst || isLast ? .apply(edit) : .fold
  }

  /// Removes a change that is not settled.
  ///
  /// Returns whether the change was shown.
  mutating func remove(_ place: Int) -> Bool {
    guard let index = index(of: place), !entries[index].isSettled else { return false }
    let removed = entries.remove(at: index)
    close(removed)
    return removed.isPending
  }

  /// Removes changes that are not settled.
  ///
  /// Returns the removed changes that were shown.
  mutating func remove(where isOver: (Entry) -> Bool) -> [Entry] {
    let removed = entries[head...].filter { !$0.isSettled && isOver($0) }
    guard !removed.isEmpty else { return [] }
    let places = Set(removed.map(\.place))
    entries.removeAll { places.contains($0.place) }
    for entry in removed { close(entry) }
    return removed.filter(\.isPending)
  }

  mutating func beginLoad(of message: Letter?) -> Int {
    now += 1
    loads.append((now, message))
    unsafe message?.openCount += 1
    return now
  }

  mutating func endLoads(where isOver: (_ place: Int, _ message: Letter?) -> Bool) {
    for load in loads where isOver(load.place, load.message) { unsafe load.message?.openCount -= 1 }
    loads.removeAll(where: isOver)
  }

  /// The message to which an unanswered request belongs.
  func message(of place: Int) -> Letter? {
    index(of: place).map { entries[$0].message } ?? loads.first { $0.place == place }?.message
  }

  /// Changes the base, for example to the server's data, and keeps all changes on top of the base.
  mutating func load(_ edit: Edit, _ apply: Apply) -> Effect {
    guard base != nil else { return .apply(edit) }
    change(\.base, edit, apply)
    isConfirmedStale = true
    return .fold
  }

  /// Ends a step by moving the settled changes at the head of the log into the base.
  ///
  /// Returns the shown state if it was recomputed.
  ///
  /// - Complexity: Amortized O(1), or O(*k*) for *k* changes if a state is recomputed.
  mutating func close(_ effect: Effect, _ apply: Apply) -> State? {
    endLoads { $1?.isRevoked == true }
    let oldest = loads.first?.place ?? .max
    var shown: State?
    if unsettledCount == 0, lastSettled.at < oldest {
      // The shown state becomes the base.
      if case .fold = effect {
        for entry in entries[head...] {
          if let edit = entry.status.edit { change(\.base, edit, apply) }
        }
        shown = base.take()
      }
      spent.entries += entries[head...]
      (entries, head) = ([], 0)
    } else {
      absorb(until: oldest, apply)
      if case .fold = effect { shown = fold(apply) { $0.status.edit } }
    }
    if count == 0 {
      spent.states += [base.take(), confirmed.take()].compactMap { $0 }
    } else if isConfirmedStale, confirmed != nil {
      keepConfirmed(apply)
    }
    isConfirmedStale = false
    return shown
  }

  /// Stores the confirmed state and keeps it up to date.
  mutating func keepConfirmed(_ apply: Apply) {
    guard base != nil, confirmed == nil || isConfirmedStale else { return }
    if let stale = confirmed { spent.states.append(stale) }
    confirmed = fold(apply) { $0.isSettled ? $0.status.edit : nil }
  }

  mutating func dropConfirmed() { if let old = confirmed.take() { spent.states.append(old) } }

  /// Returns the cause of the transition that confirms a pending change; `nil` if the change is not pending.
  func confirmation(of place: Int) -> Cause? {
    guard let index = index(of: place), case .pending(_, let cause) = entries[index].status else {
      return nil
    }
    return cause
  }

  /// Applies each pending change before the position `place` once more, to a state that already contains these changes.
  func repeatPending(before place: Int, on state: inout State, _ apply: Apply) {
    for entry in entries[head...] where entry.place < place {
      if case .pending(let edit, _) = entry.status { _ = apply(edit, &state) }
    }
  }
}

extension ChangeLog {
  private mutating func add(
    _ status: Status, for request: Int? = nil, of message: Letter? = nil, withdrawal: Cause? = nil,
    over shown: State? = nil
  ) {
    if let shown { capture(shown) }
    now += 1
    entries.append(
      Entry(
        place: now, request: request ?? now, message: message, status: status,
        withdrawal: withdrawal))
  }

  private mutating func capture(_ shown: State) { if base == nil { base = shown } }

  /// Returns whether the change at a position is still in the log.
  func contains(_ place: Int) -> Bool { index(of: place) != nil }

  private func index(of place: Int) -> Int? {
    var (low, high) = (head, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].place < place { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].place == place ? low : nil
  }

  /// Updates the counts for a change that is settled or removed.
  private mutating func close(_ entry: Entry) {
    spent.entries.append(entry)
    unsettledCount -= 1
    if entry.isPending { pendingCount -= 1 }
    unsafe entry.message?.openCount -= 1
  }

  private mutating func confirm(_ edit: Edit, at place: Int, _ apply: Apply) {
    let isLast = place > lastSettled.place
    lastSettled = (max(place, lastSettled.place), now)
    guard confirmed != nil else { return }
    if isLast { change(\.confirmed, edit, apply) } else { isConfirmedStale = true }
  }

  /// Applies a change in place, so that the state is referenced only once and is not copied.
  private mutating func change(
    _ state: WritableKeyPath<Self, State?>, _ edit: Edit, _ apply: Apply
  ) {
    guard var value = self[keyPath: state].take() else { return }
    if let replaced = apply(edit, &value) { spent.values.append(replaced) }
    self[keyPath: state] = value
  }

  /// Applies to the base the changes at the head of the log that were settled before the time `oldest`.
  private mutating func absorb(until oldest: Int, _ apply: Apply) {
    while head < entries.count, case .settled(let edit, let moment) = entries[head].status,
      moment < oldest
    {
      change(\.base, edit, apply)
      spent.entries.append(entries[head])
      entries[head].status = .reserved
      head += 1
    }
    if head > 32, head * 2 > entries.count {
      entries.removeFirst(head)
      head = 0
    }
  }

  private mutating func fold(_ apply: Apply, _ edit: (Entry) -> Edit?) -> State? {
    guard var state = base else { return nil }
    for entry in entries[head...] {
      if let edit = edit(entry), let replaced = apply(edit, &state) {
        spent.values.append(replaced)
      }
    }
    return state
  }
}
