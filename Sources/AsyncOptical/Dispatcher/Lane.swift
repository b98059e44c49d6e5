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
  /// The lane of a message; `nil` for one that needs none.
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

  /// The quiet time or interval; traps if an interval is not positive.
  var interval: Duration {
    switch self {
    case .concurrent, .serial, .latest, .exclusive: return .zero
    case .debounced(_, let quiet): return quiet.waitable
    case .throttled(let id, let interval):
      precondition(
        interval > .zero,
        "DispatchPolicy.throttled(\(id), for:): needs a positive interval; got \(interval)")
      return interval.waitable
    }
  }
}
