internal import AsyncKnotTestingRuntime

/// What the tasks and threads of the process did at one moment.
struct HangSnapshot {
  /// A task, as the runtime and the note that was taken of it tell.
  struct Seen {
    let address: UInt
    var number: UInt64 = 0
    /// Whether it works for the test that hangs.
    var isOfTest = true
    var name: String?
    var group: UInt = 0
    var wakes = Duration.zero
    var state = knotTaskUnknown
    var isRunning = false
    var isCancelled = false
    /// The address of what it waits for, and the type of that if it is an actor.
    var on: UInt = 0
    var actor: String?
    var functions: [UInt] = []
  }

  struct Thread {
    let task: UInt
    let executor: UInt
    let isBlocked: Bool
    let functions: [UInt]
  }

  private(set) var tasks: [UInt: Seen] = [:]
  private(set) var threads: [Thread] = []
  /// The task in which the test began.
  let root: UInt

  /// Looks at all tasks and threads.
  init(of scope: UInt64, _ root: UInt) {
    self.root = root
    let notes = unsafe [KnotNote](unsafeUninitializedCapacity: 100_000) {
      unsafe $1 = knot_notes($0.baseAddress, $0.count)
    }
    unsafe notes.forEach { note in
      var seen = Seen(address: unsafe UInt(bitPattern: note.task))
      seen.number = unsafe note.number
      seen.isOfTest = unsafe note.scope == scope
      seen.name = unsafe takeText(note.name)
      seen.group = unsafe UInt(bitPattern: note.group)
      seen.wakes = .nanoseconds(Int64(clamping: unsafe note.wakes))
      if seen.look() { tasks[seen.address] = seen }
    }
    // What a task awaits may have been made before anybody watched.
    var unknown = tasks.values.filter { $0.isOfTest }.compactMap(\.awaitedTask)
    while let address = unknown.popLast() {
      guard tasks[address] == nil else { continue }
      var seen = Seen(address: address)
      guard seen.look() else { continue }
      tasks[address] = seen
      if let next = seen.awaitedTask { unknown.append(next) }
    }
    let found = unsafe [KnotThread](unsafeUninitializedCapacity: 512) {
      unsafe $1 = knot_threads($0.baseAddress, $0.count)
    }
    unsafe found.forEach { thread in
      threads.append(
        unsafe Thread(
          task: UInt(bitPattern: thread.task), executor: UInt(bitPattern: thread.executor),
          isBlocked: thread.isBlocked,
          // A return address is behind the call.
          functions: addresses(of: thread.frames, thread.count).map { $0 - 1 }))
    }
  }

  /// The thread that runs a task.
  func thread(of task: UInt) -> Thread? { threads.first { $0.task == task } }
}

extension HangSnapshot.Seen {
  /// The task that it awaits.
  var awaitedTask: UInt? { state == knotTaskAwaitsTask ? on : nil }

  /// Reads the task; returns whether it is there and has not ended.
  fileprivate mutating func look() -> Bool {
    guard let read = unsafe KnotTask(at: address, number: number) else { return false }
    guard unsafe read.state != knotTaskEnded else { return false }
    state = unsafe read.state
    isRunning = unsafe read.isRunning
    isCancelled = unsafe read.isCancelled
    on = unsafe UInt(bitPattern: read.on)
    functions = unsafe read.functions
    if state == knotTaskIsReady, let object = unsafe read.on {
      // The task that waits for the actor keeps it alive.
      let name = unsafe typeName(object)
      actor = name.contains("Main") ? "the main actor" : name
    }
    return true
  }
}
