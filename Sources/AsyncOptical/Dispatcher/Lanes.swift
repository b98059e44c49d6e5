internal import AsyncKnot

/// The messages that relate to each other: those of one policy and one id.
@usableFromInline
struct Lane: Hashable, Sendable {
  enum Kind: CaseIterable, Sendable {
    case serial, latest, exclusive, debounced, throttled

    var isTimed: Bool { self == .debounced || self == .throttled }
  }

  let kind: Kind
  private let id: any Hashable & Sendable

  init(_ kind: Kind, _ id: any Hashable & Sendable) {
    self.kind = kind
    self.id = id
  }

  @usableFromInline
  static func == (left: Lane, right: Lane) -> Bool {
    left.kind == right.kind && left.id.equals(right.id)
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(ObjectIdentifier(type(of: id)))
    id.hash(into: &hasher)
  }
}

/// A message as the lanes see it.
protocol LaneItem: Equatable, Sendable {
  var terms: Terms { get }
  /// The priority of its sender.
  var urgency: UInt8 { get }
  /// Whether it is in flight although it was cancelled.
  var isRevoked: Bool { get }
}

extension LaneItem {
  var lane: Lane { terms.lane }
}

/// What the lanes say of a message when its turn comes.
enum Admission<Item> {
  /// It starts now; one that it supersedes is cancelled.
  case start(superseding: Item?)
  /// It waits; in a timed lane in the place of the one before, which is dropped.
  case wait(dropping: Item?, superseding: Item?)
  /// It is one with the message in flight.
  case join(Item)
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
    /// The highest priority of a message that has waited.
    var urgency: UInt8 = 0
    /// The start of a throttled lane's interval, and its length.
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

  var isEmpty: Bool { newest == nil && occupied.isEmpty }

  mutating func admit(_ item: Item, now: Duration = .zero) -> Admission<Item> {
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

  /// Frees a lane and drops its waiting messages; a serial one stays until those in flight have
  /// returned.
  mutating func cancel(_ lane: Lane) -> Occupied? {
    file()
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
    case .latest:
      defer { inFlight = [item] }
      return .start(superseding: inFlight.first)
    case .exclusive:
      if let known = inFlight.first, !known.isRevoked { return .join(known) }
      inFlight = [item]
      return .start(superseding: nil)
    case .serial:
      if waiting.isEmpty, inFlight.count < item.terms.limit {
        inFlight.append(item)
        return .start(superseding: nil)
      }
      wait(item, &all)
      return .wait(dropping: nil, superseding: nil)
    case .throttled:
      if isFree {
        begin(item, now)
        return .start(superseding: nil)
      }
      interval = item.terms.interval
      // Without a deadline the lane waits for the end of the message in flight.
      if deadline != nil { deadline = began + interval }
      let dropped = dropFirst(&all)
      wait(item, &all)
      return .wait(dropping: dropped, superseding: nil)
    case .debounced:
      deadline = now + item.terms.interval
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
    waiting.popFirst().flatMap { all.remove($0.ticket) }
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
