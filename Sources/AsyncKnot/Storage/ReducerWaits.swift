import Synchronization

/// A storage whose lock somebody may have to wait for.
protocol Locked: AnyObject, Sendable {
  /// The task that runs a reducer under the lock; 0 when none does.
  var reducingTask: Int { get }
  /// What is stored, for messages.
  var stateName: String { get }
}

/// The tasks that wait for a reducer of a holder to return.
///
/// Only a task whose lock was taken for longer than a moment comes here, so a wait costs nothing where
/// nobody waits long. Two reducers that wait for each other are found by whoever comes second.
enum ReducerWaits {
  private static let waits = Mutex<[Int: any Locked]>([:])

  /// Notes that the current task waits for a storage; ends the program where it would wait for itself.
  static func begin(for storage: some Locked) {
    let task = CurrentTask.id
    guard task != 0 else { return }
    let circle = waits.withLock { waits in
      waits[task] = storage
      return Self.circle(from: storage, backTo: task, in: waits)
    }
    guard let circle else { return }
    let first = storage.stateName
    fatalError(
      circle.count == 1
        ? ReducerRule.reentry(first)
        : ReducerRule.apart(reduced: circle[1], read: first))
  }

  static func end() {
    let task = CurrentTask.id
    if task != 0 { waits.withLock { $0[task] = nil } }
  }

  /// The states on the way from a storage over those who hold it and what they wait for, if it leads back.
  private static func circle(
    from storage: any Locked, backTo task: Int, in waits: [Int: any Locked]
  ) -> [String]? {
    var names: [String] = []
    var next: (any Locked)? = storage
    while let storage = next, names.count <= waits.count {
      names.append(storage.stateName)
      let holder = storage.reducingTask
      if holder == task { return names }
      next = waits[holder]
    }
    return nil
  }
}
