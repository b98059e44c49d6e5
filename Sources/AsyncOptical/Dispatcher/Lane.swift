/// The messages that relate to each other: those of one policy and one id.
@usableFromInline
struct Lane: Hashable, Sendable {
  @usableFromInline enum Kind: CaseIterable, Sendable {
    case serial, latest, exclusive, debounced, throttled

    /// Whether the lane's messages wait for a clock.
    @usableFromInline var isTimed: Bool { self == .debounced || self == .throttled }
  }

  @usableFromInline let kind: Kind
  private let id: any Hashable & Sendable

  @usableFromInline
  init(_ kind: Kind, _ id: any Hashable & Sendable) {
    self.kind = kind
    self.id = id
  }

  @usableFromInline
  static func == (left: Lane, right: Lane) -> Bool {
    left.kind == right.kind && left.id.equals(right.id)
  }

  // An `AnyHashable` would look up a conformance for each value, so the id is hashed directly.
  @usableFromInline
  func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(ObjectIdentifier(type(of: id)))
    id.hash(into: &hasher)
  }
}

extension Equatable {
  /// Whether the other value is of this very type and equal: a cast alone takes `Optional(1)` for
  /// 1.
  func equals(_ other: Any) -> Bool {
    guard type(of: other) == type(of: self), let other = other as? Self else { return false }
    return self == other
  }
}

extension DispatchPolicy {
  /// The lane of a message with this policy; `nil` for one that needs none.
  @usableFromInline var lane: Lane? {
    switch self {
    case .concurrent: nil
    case .serial(let id): Lane(.serial, id)
    case .latest(let id): Lane(.latest, id)
    case .exclusive(let id): Lane(.exclusive, id)
    case .debounced(let id, _): Lane(.debounced, id)
    case .throttled(let id, _): Lane(.throttled, id)
    }
  }

  /// The quiet time of a debounced message, the interval of a throttled one.
  @usableFromInline var interval: Duration {
    switch self {
    case .debounced(_, let duration), .throttled(_, let duration): duration.waitable
    case .concurrent, .serial, .latest, .exclusive: .zero
    }
  }

  /// Traps if a throttled message has no interval.
  @usableFromInline
  func checkInterval() {
    guard case .throttled(let id, let interval) = self else { return }
    precondition(
      interval > .zero,
      "DispatchPolicy.throttled(\(id), for:): needs a positive interval; got \(interval)")
  }
}
