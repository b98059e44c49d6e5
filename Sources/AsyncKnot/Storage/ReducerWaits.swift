import Synchronization

/// A storage for whose lock a caller may have to wait.
protocol Locked: AnyObject, Sendable {
  /// The stack address at which the running reducer was called; 0 if none runs.
  var reducerFrame: UInt { get }
  /// The name of the state's type, for messages.
  var stateName: String { get }
}

/// The callers that wait for a holder's lock, each identified by an address on its thread's stack.
///
/// Only a caller that found the lock taken for longer than a moment is registered here; all other
/// callers pay nothing. If reducers wait for each other in a circle, the last caller finds the
/// circle.
enum ReducerWaits {
  private static let waits = Mutex<[UInt: any Locked]>([:])

  /// The greatest distance, in bytes, between a reducer's stack address and that of a call made by
  /// the reducer.
  ///
  /// Other threads have their stacks at least half a megabyte away. Two addresses this close are
  /// taken for one thread's only while a caller waits, and a circle must last for a second before
  /// it ends the program.
  private static var reach: UInt { 64 * 1024 }

  /// Registers a caller that waits for a storage's lock.
  ///
  /// - Parameters:
  ///   - storage: The storage whose lock is taken.
  ///   - frame: An address on the caller's stack.
  /// - Returns: The message of the trap if the caller waits for itself; `nil` if the lock will be
  ///   released.
  static func begin(for storage: some Locked, at frame: UInt) -> String? {
    let circle = waits.withLock { waits in
      waits[frame] = storage
      return Self.circle(from: storage, backTo: frame, in: waits)
    }
    return circle.map { names in
      names.count == 1
        ? ReducerRule.reentry(names[0])
        : ReducerRule.apart(reduced: names[names.count - 1], read: names[0])
    }
  }

  /// Removes a caller that has got the lock.
  static func end(at frame: UInt) {
    let storage = waits.withLock { $0.removeValue(forKey: frame) }
    withExtendedLifetime(storage) {}
  }

  /// Follows storage, its reducer, and the storage for which that reducer waits, until the caller
  /// is reached.
  ///
  /// - Returns: The names of the states in the circle; `nil` if there is no circle.
  private static func circle(
    from storage: any Locked, backTo frame: UInt, in waits: [UInt: any Locked]
  ) -> [String]? {
    var names: [String] = []
    var next: (any Locked)? = storage
    while let storage = next, names.count <= waits.count {
      names.append(storage.stateName)
      let reducer = storage.reducerFrame
      if isInside(frame, reducer) { return names }
      next = waits.first { isInside($0.key, reducer) }?.value
    }
    return nil
  }

  /// Whether a stack address belongs to a call that the reducer made.
  private static func isInside(_ frame: UInt, _ reducer: UInt) -> Bool {
    frame < reducer && reducer - frame < reach
  }
}
