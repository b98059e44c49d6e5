import Synchronization

/// A storage whose lock somebody may have to wait for.
protocol Locked: AnyObject, Sendable {
  /// Where the reducer was called that runs under the lock; 0 when none does.
  var reducerFrame: UInt { get }
  /// What is stored, for messages.
  var stateName: String { get }
}

/// Those who wait for a reducer of a holder to return, each known by an address on its thread's stack.
///
/// Only a caller that found the lock taken for longer than a moment comes here, so nobody else pays. Of
/// the reducers that wait for each other in a circle, the one that comes last finds it.
enum ReducerWaits {
  private static let waits = Mutex<[UInt: any Locked]>([:])

  /// A reader that is called by a reducer stands this close below it on the stack, in bytes.
  ///
  /// Other threads have their stacks at least half a megabyte away. That is why nearness is taken for
  /// sameness only where somebody waits, and why a circle has to last before it ends the program.
  private static var reach: UInt { 64 * 1024 }

  /// Notes that a caller waits for a storage.
  ///
  /// - Parameters:
  ///   - storage: Whose lock is taken.
  ///   - frame: An address on the caller's stack.
  /// - Returns: What is wrong, where the caller waits for itself; `nil` where it need only wait.
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

  static func end(at frame: UInt) {
    let storage = waits.withLock { $0.removeValue(forKey: frame) }
    withExtendedLifetime(storage) {}
  }

  /// The states on the way from a storage over its reducer and what that waits for, if it leads back.
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

  /// Whether an address belongs to what a reducer has called.
  private static func isInside(_ frame: UInt, _ reducer: UInt) -> Bool {
    frame < reducer && reducer - frame < reach
  }
}
