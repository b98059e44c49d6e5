private import ExploreTestingRuntime

/// The unfinished tasks of the process at one moment, and what each of them waits for.
struct HangReport: CustomStringConvertible {
  private let lanes: [RecordedRun.Lane]

  /// Inspects the tasks created since the watch began, the tasks that are running or awaited, and the threads.
  ///
  /// - Parameter test: The address of the test's task; `nil` if there is none.
  init(of test: UInt? = nil) {
    var tasks: [UInt: KnotTask] = unsafe [:]
    let threads = unsafe Self.threads
    var open =
      unsafe Self.notedTasks + [test].compactMap(\.self)
      + threads.map { unsafe UInt(bitPattern: $0.task) }
    while let address = open.popLast() {
      guard unsafe tasks[address] == nil, let task = unsafe KnotTask(at: address),
        unsafe task.state != knotTaskEnded
      else { continue }
      unsafe tasks[address] = task
      // An awaited task is not among the noted tasks if it was created before the watch began, or by an `async let`.
      if unsafe task.state == knotTaskAwaitsTask { unsafe open.append(UInt(bitPattern: task.on)) }
    }
    // Sort the tasks by number, which is the order in which they were created.
    let order = unsafe tasks.sorted { unsafe $0.value.number < $1.value.number }
    let numbers = unsafe [UInt: Int](
      uniqueKeysWithValues: order.enumerated().map { unsafe ($1.key, $0) })
    lanes = unsafe order.map { address, task in
      let thread = unsafe threads.first { unsafe UInt(bitPattern: $0.task) == address }
      var state = unsafe RecordedRun.TaskState(task, lane: { numbers[$0] })
      if unsafe thread != nil {
        state = .keepsThread
      } else if unsafe task.state == knotTaskIsReady {
        state = .starves
        if let object = unsafe task.on {
          // The task that is waiting for the actor keeps it alive.
          let type = unsafe typeName(object)
          let holder = unsafe threads.first { unsafe $0.executor == object }
          state = unsafe .awaitsActor(
            type.contains("Main") ? "the main actor" : type,
            by: numbers[UInt(bitPattern: holder?.task)])
        }
      }
      let functions = unsafe (thread?.functions ?? []) + task.functions
      return unsafe RecordedRun.Lane(
        name: address == test ? "the test" : task.givenName, state: state,
        isCancelled: task.isCancelled, parent: numbers[UInt(bitPattern: task.parent)],
        functions: functions, origin: functions)
    }
  }

  var description: String {
    let numbers = Array(lanes.indices)
    let report = WaitReport(lanes, shown: numbers, Symbols(of: lanes.flatMap(\.functions)))
    return "unfinished tasks: \(lanes.count)\n"
      + report.lines(of: numbers).map { "  \($0)" }.joined(separator: "\n")
  }

  /// The tasks created since the watch began.
  private static var notedTasks: [UInt] {
    unsafe [UnsafeRawPointer?](unsafeUninitializedCapacity: 100_000) {
      unsafe $1 = knot_tasks($0.baseAddress.unsafelyUnwrapped, $0.count)
    }.map { UInt(bitPattern: $0) }
  }

  private static var threads: [KnotThread] {
    unsafe [KnotThread](unsafeUninitializedCapacity: 512) {
      unsafe $1 = knot_threads($0.baseAddress, $0.count)
    }
  }
}

extension KnotThread {
  /// The functions on the thread's stack, innermost first.
  ///
  /// A return address points past the call, so 1 is subtracted.
  fileprivate var functions: [UInt] { unsafe addresses(of: frames, count).map { $0 - 1 } }
}
