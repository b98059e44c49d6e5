/// The messages that relate to each other: those of one policy and one id.
@usableFromInline
struct Lane: Hashable, Sendable {
  enum Kind: CaseIterable, Sendable {
    case serial, latest, exclusive, debounced, throttled

    var isTimed: Bool { self == .debounced || self == .throttled }

    var mayWait: Bool { isTimed || self == .serial }
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

extension DispatchPolicy {
  /// The lane of a message, and its quiet time or interval; `nil` for one that needs no lane.
  ///
  /// Traps if an interval is not positive.
  @usableFromInline var lane: (Lane, interval: Duration)? {
    switch self {
    case .concurrent: return nil
    case .serial(let id): return (Lane(.serial, id), .zero)
    case .latest(let id): return (Lane(.latest, id), .zero)
    case .exclusive(let id): return (Lane(.exclusive, id), .zero)
    case .debounced(let id, let quiet): return (Lane(.debounced, id), quiet.waitable)
    case .throttled(let id, let interval):
      precondition(
        interval > .zero,
        "DispatchPolicy.throttled(\(id), for:): needs a positive interval; got \(interval)")
      return (Lane(.throttled, id), interval.waitable)
    }
  }
}
