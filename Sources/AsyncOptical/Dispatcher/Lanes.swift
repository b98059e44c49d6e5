internal import AsyncKnot

/// An id of a policy; ids of different types are different.
@usableFromInline
struct LaneID: Hashable, Sendable {
  private let value: any Hashable & Sendable

  init(_ value: any Hashable & Sendable) { self.value = value }

  @usableFromInline
  static func == (left: LaneID, right: LaneID) -> Bool { left.value.equals(right.value) }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type(of: value)))
    value.hash(into: &hasher)
  }
}

/// The messages that relate to each other: those of one policy and one id.
@usableFromInline
struct Lane: Hashable, Sendable {
  enum Kind: CaseIterable, Sendable {
    /// The lane of a message that relates to no other; it is never occupied.
    case concurrent
    case serial, latest, exclusive, debounced, throttled

    var isTimed: Bool { self == .debounced || self == .throttled }
  }

  let kind: Kind
  let id: LaneID

  init(_ kind: Kind, _ id: any Hashable & Sendable) { self.init(kind, LaneID(id)) }

  init(_ kind: Kind, _ id: LaneID) { (self.kind, self.id) = (kind, id) }
}

/// A message as the lanes see it.
protocol LaneItem: Equatable, Sendable {
  var terms: Terms { get }
  /// The priority of its sender.
  var urgency: UInt8 { get }
  /// Whether it is in flight although it was cancelled.
  var isRevoked: Bool { get }
  /// Whether its id was invalidated since it began.
  var isStale: Bool { get }
}

extension LaneItem {
  var lane: Lane { terms.lane }
  var canBeJoined: Bool { !isRevoked && !isStale }
}

/// What the lanes say of a message when its turn comes.
enum Admission<Item> {
  /// It starts now; one that it supersedes is cancelled.
  case start(superseding: Item?)
  /// It waits; in a timed lane in the place of the one before, which is dropped.
  case wait(dropping: Item?, superseding: Item?)
  /// It is one with the message in flight.
  case join(Item)
  /// It was sent before a cancellation that is carried out already.
  case refuse
  /// Its id was answered not long ago.
  case fresh
}

/// The lanes with a message in flight, with messages that wait, or in an interval: a value that only the
/// holder uses.
///
/// Transitions are O(1), amortised, but for `cancel`, O(messages of the lane), and the search for one
/// that waits, O(log messages that wait).
struct Lanes<Item: LaneItem> {
  struct Waiting {
    let ticket: UInt64
    let item: Item
  }

  struct Occupied {
    var inFlight: [Item] = []
    /// The messages that wait, in order: in a timed lane one at most.
    var waiting = Fifo<Waiting>()
    /// The highest priority among those that wait, and those that waited together with them.
    var urgency: UInt8 = 0
    /// The start of a throttled lane's interval, and its length; of a debounced lane the start of the
    /// wait.
    var began = Duration.zero
    var interval = Duration.zero
    /// When the lane is to be looked at; `nil` if only a message, or the end of one, changes it.
    var deadline: Duration?
    /// The alarm that is set; it may ring too early, never too late.
    var timer: (deadline: Duration, urgency: UInt8, alarm: Int)?

    var isFree: Bool { inFlight.isEmpty && waiting.isEmpty && deadline == nil }

    /// Whether the next message of a lane that is not timed can start.
    var isDue: Bool { waiting.first.map { inFlight.count < $0.item.terms.limit } ?? false }
  }

  /// The message that was started last, if it found no lane: it is hashed only if another message
  /// comes before it ends, as its handler has suspended then.
  private var newest: Item?
  var occupied: [Lane: Occupied] = [:]
  /// All that wait, the oldest first.
  private(set) var waiting = SlotTable<Item>()
  /// The ids whose cancellation is carried out but not taken from the mailbox, and how many there are
  /// of each: a message that is admitted meanwhile was sent before.
  private var recalled: [LaneID: Int] = [:]

  /// When the ids were answered whose answers may be fresh, and the longest time that was asked for.
  private(set) var answers: [LaneID: Duration] = [:]
  private var longestFresh = Duration.zero
  private var answerLimit = 16

  var isEmpty: Bool { newest == nil && occupied.isEmpty && recalled.isEmpty }

  mutating func admit(_ item: Item, now: Duration = .zero) -> Admission<Item> {
    if item.terms.lane.kind == .concurrent { return .start(superseding: nil) }
    if !recalled.isEmpty, recalled[item.lane.id] != nil { return .refuse }
    if let age = item.terms.fresh {
      longestFresh = max(longestFresh, age)
      if let answer = answers[item.lane.id], now - answer < age { return .fresh }
    }
    file()
    if !item.terms.lane.kind.isTimed, occupied.isEmpty {
      newest = item
      return .start(superseding: nil)
    }
    // In place: a copy of a lane would copy all that waits in it.
    return occupied[item.lane, default: Occupied()].admit(item, now, &waiting)
  }

  /// Starts the next message of a lane, if it is due: in a timed lane at the deadline.
  mutating func startNext(
    in lane: Lane, now: Duration = .zero, isFailed: Bool = false
  ) -> Item? {
    guard let index = occupied.index(forKey: lane) else { return nil }
    let isDue = !lane.kind.isTimed || occupied.values[index].isOver(now, isFailed: isFailed)
    let next = isDue ? occupied.values[index].startNext(lane.kind, now, &waiting) : nil
    if occupied.values[index].isFree { occupied.remove(at: index) }
    return next
  }

  /// Ends a message, whose handler has returned; returns whether its lane is to be looked at.
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
    if lane.kind == .throttled { occupied.values[index].continueInterval(now) }
    return true
  }

  /// Keeps the moment at which a message was answered, as long as the answer may be fresh.
  mutating func answered(_ item: Item, now: Duration) {
    guard item.terms.fresh != nil, !item.isStale else { return }
    answers[item.lane.id] = now
    guard answers.count > answerLimit else { return }
    answers = answers.filter { [longestFresh] in now - $0.value < longestFresh }
    answerLimit = max(16, answers.count * 2)
  }

  /// Forgets the answer of an id; returns what is in flight, whose answer will not be fresh.
  mutating func invalidate(_ id: LaneID) -> [Item] {
    file()
    answers[id] = nil
    return occupied[Lane(.exclusive, id)]?.inFlight ?? []
  }

  /// Cancels the messages of an id, and refuses it until `endRecall`; returns what was in its lanes.
  mutating func recall(_ id: LaneID) -> [Occupied] {
    file()
    recalled[id, default: 0] += 1
    return Lane.Kind.allCases.compactMap { cancel(Lane($0, id)) }
  }

  /// Ends one recall of an id: its cancellation was taken from the mailbox.
  mutating func endRecall(_ id: LaneID) {
    recalled[id] = recalled[id].flatMap { $0 > 1 ? $0 - 1 : nil }
  }

  /// The messages in flight for which another one waits: it waits in its lane, or is admitted next.
  mutating func blockers(of item: Item) -> [Item] {
    file()
    guard let known = occupied[item.lane] else { return [] }
    return switch item.lane.kind {
    case .concurrent, .latest, .debounced: []
    case .serial: known.inFlight
    case .exclusive: known.inFlight.filter(\.canBeJoined)
    case .throttled: known.inFlight.filter { !$0.isRevoked }
    }
  }

  /// How many messages may be in flight at most, itself included, when one starts that waits or is
  /// admitted next: nobody overtakes another.
  func room(for item: Item) -> Int {
    var room = item.terms.limit
    for other in waiting.elements where other.lane == item.lane {
      if other == item { break }
      room = min(room, other.terms.limit)
    }
    return room
  }

  /// Frees a lane and drops its waiting messages; a serial one stays until those in flight have
  /// returned.
  private mutating func cancel(_ lane: Lane) -> Occupied? {
    guard let known = occupied.removeValue(forKey: lane) else { return nil }
    var waiting = known.waiting
    while let next = waiting.popFirst() { _ = self.waiting.remove(next.ticket) }
    if lane.kind == .serial, !known.inFlight.isEmpty {
      occupied[lane] = Occupied(inFlight: known.inFlight)
    }
    return known
  }

  /// Drops the message that has waited longest, whatever its lane.
  mutating func dropOldest() -> Item? {
    guard let oldest = waiting.removeFirst() else { return nil }
    _ = occupied[oldest.lane]?.waiting.popFirst()
    return oldest
  }

  /// Raises what waits in a lane.
  mutating func raise(_ lane: Lane, to urgency: UInt8) {
    if let known = occupied[lane]?.urgency { occupied[lane]?.urgency = max(known, urgency) }
  }

  private mutating func file() {
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
      if waiting.isEmpty, inFlight.count < item.terms.limit {
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
      interval = item.terms.interval
      // Without a deadline the lane waits for the end of the message in flight.
      if deadline != nil { deadline = began + interval }
      if inFlight.isEmpty { continueInterval(now) }
      let dropped = dropFirst(&all)
      wait(item, &all)
      return .wait(dropping: dropped, superseding: revoked)
    case .debounced:
      if waiting.isEmpty { began = now }
      let quiet = now + item.terms.interval
      deadline = item.terms.longest.map { min(quiet, began + $0) } ?? quiet
      let dropped = dropFirst(&all)
      wait(item, &all)
      return .wait(dropping: dropped, superseding: inFlight.popLast())
    }
  }

  private mutating func wait(_ item: Item, _ all: inout SlotTable<Item>) {
    waiting.append(Lanes.Waiting(ticket: all.insert(item), item: item))
    urgency = max(urgency, item.urgency)
  }

  private mutating func dropFirst(_ all: inout SlotTable<Item>) -> Item? {
    guard let first = waiting.popFirst() else { return nil }
    if waiting.isEmpty { urgency = 0 }
    return all.remove(first.ticket)
  }

  /// Whether the deadline is reached: then it is taken away.
  mutating func isOver(_ now: Duration, isFailed: Bool) -> Bool {
    if let timer, isFailed || timer.deadline <= now { self.timer = nil }
    guard let deadline, isFailed || deadline <= now else { return false }
    self.deadline = nil
    return true
  }

  mutating func startNext(
    _ kind: Lane.Kind, _ now: Duration, _ all: inout SlotTable<Item>
  ) -> Item? {
    guard isDue, let next = dropFirst(&all) else { return nil }
    if kind == .throttled { begin(next, now) } else { inFlight.append(next) }
    return next
  }

  private mutating func begin(_ item: Item, _ now: Duration) {
    inFlight = [item]
    (began, interval, deadline) = (now, item.terms.interval, now + item.terms.interval)
  }

  /// After a message that took several intervals: what waits starts at the end of the current one.
  mutating func continueInterval(_ now: Duration) {
    guard deadline == nil else { return }
    let passed = ((now - began).attoseconds - 1) / interval.attoseconds
    began += Duration(attoseconds: passed * interval.attoseconds)
    deadline = began + interval
  }
}
