/// One key path of a state, and how to find out whether its value has changed.
@MainActor
final class TrackedPath<State: Sendable> {
  let keyPath: PartialKeyPath<State>
  /// What the registrar knows the path by, without a lease.
  let key: KeyPath<Observed<State>, Void>
  /// Whether the values in an old and a new state differ.
  let differs: (_ old: State, _ new: State) -> Bool
  private let id: UInt64
  private let usage: PathUsage

  init<Value>(_ keyPath: KeyPath<State, Value>, id: UInt64, unused: UnusedPaths) {
    let token = PathToken(id: id, lease: nil)
    self.keyPath = keyPath
    self.id = id
    key = \.[tracked: token]
    usage = PathUsage(unused)
    if let type = Value.self as? any Equatable.Type {
      differs = Self.comparison(of: type, at: keyPath)
    } else {
      differs = { _, _ in true }
    }
  }

  /// Whether somebody has a lease.
  var isTracked: Bool { usage.isUsed }

  /// A token that keeps the path tracked as long as a copy of it is kept.
  func lease() -> PathToken { PathToken(id: id, lease: PathLease(usage)) }

  private static func comparison<Value: Equatable>(
    of type: Value.Type, at keyPath: PartialKeyPath<State>
  ) -> (State, State) -> Bool {
    // The type was taken from this key path.
    let keyPath = unsafe unsafeDowncast(keyPath, to: KeyPath<State, Value>.self)
    guard let offset = MemoryLayout<State>.offset(of: keyPath) else {
      return { old, new in old[keyPath: keyPath] != new[keyPath: keyPath] }
    }
    // A path of stored properties alone needs no key path machinery: its value lies inside the state,
    // at this offset, bound to its type.
    return { old, new in
      unsafe withUnsafePointer(to: old) { old in
        unsafe withUnsafePointer(to: new) { new in
          let old = unsafe UnsafeRawPointer(old).advanced(by: offset)
          let new = unsafe UnsafeRawPointer(new).advanced(by: offset)
          return unsafe old.assumingMemoryBound(to: Value.self).pointee
            != new.assumingMemoryBound(to: Value.self).pointee
        }
      }
    }
  }
}
