internal import AsyncKnot

/// The id of a policy.
///
/// Ids of different types are never equal.
@usableFromInline
struct LaneID: Hashable, Sendable {
  private let value: any Hashable & Sendable

  init(_ value: any Hashable & Sendable) {
    precondition(
      value.equals(value),
      "DispatchPolicy: needs an id that is equal to itself, so that requests can be compared by their ids; got "
        + "\(value). Use a string, an integer or an enum")
    self.value = value
  }

  @usableFromInline
  static func == (left: LaneID, right: LaneID) -> Bool { left.value.equals(right.value) }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type(of: value)))
    value.hash(into: &hasher)
  }
}

/// Identifies the messages that affect each other: those with the same kind of policy and the same id.
@usableFromInline
struct Lane: Hashable, Sendable {
  enum Kind: CaseIterable, Sendable {
    /// The lane of a message that affects no other message. It is never occupied.
    case concurrent
    case serial, latest, exclusive, debounced, throttled
  }

  let kind: Kind
  let id: LaneID

  init(_ kind: Kind, _ id: any Hashable & Sendable) { self.init(kind, LaneID(id)) }

  init(_ kind: Kind, _ id: LaneID) { (self.kind, self.id) = (kind, id) }
}

/// The properties of a message that its lane uses.
protocol LaneItem: Equatable, Sendable {
  var terms: Terms { get }
  /// The priority of the message's sender, or a higher one to which the message was raised.
  var urgency: UInt8 { get }
  /// Whether the message is still in flight even though it was cancelled.
  var isRevoked: Bool { get }
  /// Whether the message's id was invalidated after the message began.
  var isStale: Bool { get }
}

extension LaneItem {
  var lane: Lane { terms.lane }
  var canBeJoined: Bool { !isRevoked && !isStale }
}

/// The decision of the lanes about a message that was taken from the mailbox.
enum Admission<Item> {
  /// The message starts now. The superseded message is cancelled. A message that waited in a debounced lane is dropped.
  case start(superseding: Item?, dropping: Item? = nil)
  /// The message waits. In a debounced or throttled lane it replaces the waiting message, which is dropped.
  case wait(dropping: Item?, superseding: Item?)
  /// The message is not carried out; it shares the outcome of the message in flight.
  case join(Item)
  /// The message was sent before a cancellation that has already been applied.
  case refuse
  /// The message is not carried out, because its id has a fresh response.
  case fresh
}

/// The lanes that have a message in flight, waiting messages, or a running interval.
///
/// Only the holder's isolation uses this value.
///
/// - Complexity: Admitting, starting or ending a message is amortized O(1), plus O(log waiting messages) to find a message that
///   waited. `recall` is O(messages of the id).
struct Lanes<Item: LaneItem> {
  struct Waiting {
    let ticket: UInt64
    let item: Item
  }

  struct Occupied {
    var inFlight: [Item] = []
    /// The waiting messages, in order.
    ///
    /// A debounced or throttled lane has at most one.
    var waiting = Fifo<Waiting>()
    /// The highest priority of the messages that have waited since `waiting` was last empty.
    var urgency: UInt8 = 0
    var timing = LaneTiming()

    var isFree: Bool { inFlight.isEmpty && waiting.isEmpty && timing.deadline == nil }

    /// Whether the next waiting message can start.
    var isDue: Bool { waiting.first.map { canStart($0.item) } ?? false }

    /// The priority of the lane's due item in the mailbox.
    var priority: TaskPriority {
      TaskPriority(rawValue: max(urgency, TaskPriority.background.rawValue))
    }
  }

  /// The message that started last, if no lane was occupied at that time.
  ///
  /// Moving the message to `occupied` hashes its id, so that happens only if another message arrives before this one ends.
  private var newest: Item?
  var occupied: [Lane: Occupied] = [:]
  /// The waiting messages of all lanes, oldest first.
  private(set) var waiting = SlotTable<Item>()
  /// For each id, the number of cancellations that are applied but not yet taken from the mailbox.
  ///
  /// Until a cancellation is taken, `admit` refuses every message with its id, because the message was sent earlier.
  private var recalled: [LaneID: Int] = [:]

  /// The times of the responses that may still be fresh.
  private(set) var answers: [LaneID: Duration] = [:]
  /// The longest `freshFor` of any message.
  ///
  /// Responses that are older than this may be removed.
  private var longestFresh = Duration.zero
  private var answerLimit = 16

  var isEmpty: Bool { newest == nil && occupied.isEmpty && recalled.isEmpty }

  mutating func admit(_ item: Item, now: Duration = .zero) -> Admission<Item> {
    if item.terms.lane.kind == .concurrent { return .start(superseding: nil) }
    if !recalled.isEmpty, recalled[item.lane.id] != nil { return .refuse }
    if let age = item.terms.fresh {
      longestFresh = max(longestFresh, age)
      if isFresh(item, now: now) { return .fresh }
    }
    moveNewestToOccupied()
    if !item.terms.isTimed, occupied.isEmpty {
      newest = item
      return .start(superseding: nil)
    }
    // Changed in place, because a copy of the lane would copy its waiting messages.
    return occupied[item.lane, default: Occupied()].admit(item, now, &waiting)
  }

  /// Returns whether an earlier response is fresh enough for an item.
  func isFresh(_ item: Item, now: Duration) -> Bool {
    guard let age = item.terms.fresh, let answer = answers[item.lane.id] else { return false }
    return now - answer < age
  }

  /// Starts the next message of a lane if the lane has room in flight and no deadline after `now`.
  mutating func startNext(
    in lane: Lane, now: Duration = .zero, isFailed: Bool = false
  ) -> Item? {
    guard let index = occupied.index(forKey: lane) else { return nil }
    let next = occupied.values[index].startNext(lane.kind, now, isFailed: isFailed, &waiting)
    if occupied.values[index].isFree { occupied.remove(at: index) }
    return next
  }

  /// Ends a message whose handler has returned.
  ///
  /// Returns whether its lane may start another message.
  mutating func finish(_ item: Item, now: Duration = .zero) -> Bool {
    if newest == item {
      newest = nil
      return false
    }
    let lane = item.lane
    guard let index = occupied.index(forKey: lane),
      let place = occupied.values[index].inFlight.firstIndex(of: item)
    else { return false }
    occupied.values[index].inFlight.remove(at: place)
    if occupied.values[index].isFree {
      occupied.remove(at: index)
      return false
    }
    if lane.kind == .throttled { occupied.values[index].timing.continueInterval(now) }
    return true
  }

  /// Records the time at which a message was answered, for as long as the response may be fresh.
  mutating func answered(_ item: Item, now: Duration) {
    guard item.terms.fresh != nil, !item.isStale else { return }
    answers[item.lane.id] = now
    guard answers.count > answerLimit else { return }
    answers = answers.filter { [longestFresh] in now - $0.value < longestFresh }
    answerLimit = max(16, answers.count * 2)
  }

  /// Forgets the response of an id.
  ///
  /// Returns the messages in flight, whose responses will not be fresh.
  mutating func invalidate(_ id: LaneID) -> [Item] {
    moveNewestToOccupied()
    answers[id] = nil
    return occupied[Lane(.exclusive, id)]?.inFlight ?? []
  }

  /// Cancels the messages of an id and refuses new ones until `endRecall`.
  ///
  /// Returns the lanes with the messages that they had.
  mutating func recall(_ id: LaneID) -> [Occupied] {
    moveNewestToOccupied()
    recalled[id, default: 0] += 1
    return Lane.Kind.allCases.compactMap { cancel(Lane($0, id)) }
  }

  /// Ends a recall of an id after its cancellation has left the mailbox.
  mutating func endRecall(_ id: LaneID) {
    recalled[id] = recalled[id].flatMap { $0 > 1 ? $0 - 1 : nil }
  }

  /// The lanes in which the next message no longer waits for a cancelled one.
  var freedLanes: [Lane] {
    occupied.filter { $0.key.kind == .throttled && $0.value.inFlight.contains(where: \.isRevoked) }
      .map(\.key)
  }

  /// Returns the messages in flight for which `item` waits, or would wait if it were admitted next.
  mutating func blockers(of item: Item) -> [Item] {
    moveNewestToOccupied()
    guard let known = occupied[item.lane] else { return [] }
    return switch item.lane.kind {
    case .concurrent, .latest, .debounced: []
    case .serial: known.inFlight
    case .exclusive: known.inFlight.filter(\.canBeJoined)
    case .throttled: known.inFlight.filter { !$0.isRevoked }
    }
  }

  /// Returns the number of messages, including `item`, that may be in flight when `item` starts.
  ///
  /// Messages that wait ahead of `item` can lower the number, because no message overtakes another.
  func room(for item: Item) -> Int {
    var room = item.terms.limit
    for other in waiting.elements where other.lane == item.lane {
      if other == item { break }
      room = min(room, other.terms.limit)
    }
    return room
  }

  /// Frees a lane and drops its waiting messages.
  ///
  /// A serial lane stays occupied until the messages in flight have returned. The caller removes the alarm of the lane that this
  /// method returns, so a lane that stays occupied restarts without a deadline.
  private mutating func cancel(_ lane: Lane) -> Occupied? {
    guard let known = occupied.removeValue(forKey: lane) else { return nil }
    var waiting = known.waiting
    while let next = waiting.popFirst() { _ = self.waiting.remove(next.ticket) }
    if lane.kind == .serial, !known.inFlight.isEmpty {
      occupied[lane] = Occupied(inFlight: known.inFlight)
    }
    return known
  }

  /// Drops the message that has waited longest in any lane.
  mutating func dropOldest() -> Item? {
    guard let oldest = waiting.removeFirst() else { return nil }
    _ = occupied[oldest.lane]?.popFirst()
    return oldest
  }

  /// Raises the priority of the waiting messages of a lane.
  mutating func raise(_ lane: Lane, to urgency: UInt8) {
    if let known = occupied[lane]?.urgency { occupied[lane]?.urgency = max(known, urgency) }
  }

  private mutating func moveNewestToOccupied() {
    guard let item = newest.take() else { return }
    occupied[item.lane] = Occupied(inFlight: [item])
  }
}

extension Lanes.Occupied {
  mutating func admit(
    _ item: Item, _ now: Duration, _ all: inout SlotTable<Item>
  ) -> Admission<Item> {
    switch item.terms.lane.kind {
    case .exclusive where inFlight.first?.canBeJoined == true: return .join(inFlight[0])
    case .concurrent, .latest, .exclusive:
      defer { inFlight = [item] }
      return .start(superseding: inFlight.first)
    case .serial:
      if waiting.isEmpty, canStart(item) {
        inFlight.append(item)
        return .start(superseding: nil)
      }
      wait(item, &all)
      return .wait(dropping: nil, superseding: nil)
    case .throttled:
      let revoked = inFlight.first?.isRevoked == true ? inFlight.popLast() : nil
      if isFree {
        begin(item, now)
        return .start(superseding: revoked)
      }
      timing.change(to: item.terms.interval ?? .zero)
      if inFlight.isEmpty { timing.continueInterval(now) }
      let dropped = dropFirst(&all)
      wait(item, &all)
      return .wait(dropping: dropped, superseding: revoked)
    case .debounced:
      timing.wait(
        item.terms.interval ?? .zero, atMost: item.terms.longest, now, isFirst: waiting.isEmpty)
      let (dropped, superseded) = (dropFirst(&all), inFlight.popLast())
      if timing.endWait(now) {
        inFlight = [item]
        return .start(superseding: superseded, dropping: dropped)
      }
      wait(item, &all)
      return .wait(dropping: dropped, superseding: superseded)
    }
  }

  private mutating func wait(_ item: Item, _ all: inout SlotTable<Item>) {
    waiting.append(Lanes.Waiting(ticket: all.insert(item), item: item))
    urgency = max(urgency, item.urgency)
  }

  private mutating func dropFirst(_ all: inout SlotTable<Item>) -> Item? {
    popFirst().flatMap { all.remove($0.ticket) }
  }

  mutating func popFirst() -> Lanes.Waiting? {
    defer { if waiting.isEmpty { urgency = 0 } }
    return waiting.popFirst()
  }

  /// Returns whether the lane has room in flight for a message and is not waiting for a deadline.
  ///
  /// A cancelled message that has not returned takes up room only in a serial lane.
  private func canStart(_ item: Item) -> Bool {
    let count = item.lane.kind == .throttled ? inFlight.count { !$0.isRevoked } : inFlight.count
    return timing.deadline == nil && count < item.terms.limit
  }

  mutating func startNext(
    _ kind: Lane.Kind, _ now: Duration, isFailed: Bool, _ all: inout SlotTable<Item>
  ) -> Item? {
    timing.passDeadline(now, isFailed: isFailed)
    guard isDue, let next = dropFirst(&all) else { return nil }
    if kind == .throttled { begin(next, now) } else { inFlight.append(next) }
    return next
  }

  private mutating func begin(_ item: Item, _ now: Duration) {
    inFlight = [item]
    timing.begin(item.terms.interval ?? .zero, now)
  }
}
