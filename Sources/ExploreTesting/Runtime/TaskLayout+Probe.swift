internal import ExploreTestingRuntime
internal import Synchronization

extension TaskLayout {
  /// Creates a task in each known state, on the calling thread, and compares the tasks.
  ///
  /// - Parameter memory: Reads memory; a test passes the memory of another runtime.
  /// - Returns: The layout, with the seams that were not found; `nil` if the runtime does not report a plausible size of a task,
  ///   if the tasks do not reach these states, or if their memory cannot be read.
  static func probe(_ memory: @escaping Memory = ownMemory) -> TaskLayout? {
    let size = Int(knot_task_size())
    guard size > 0, size.isMultiple(of: 8), size < 1 << 10 else { return nil }
    let bench = Bench()
    @Sendable func look(_ address: UInt) -> Specimen {
      Specimen(address: address, words: memory(address, size / 4 + 16) ?? [])
    }
    let waiting = bench.start { await bench.wait() }
    let awaiting = bench.start { await waiting.value }
    let owner = bench.start {
      await withTaskGroup { group in
        group.addTask { await bench.wait() }
        await group.next()
      }
    }
    let parent = bench.start {
      async let child: Void = bench.wait()
      await child
    }
    let ended = bench.start {}
    let waits = look(address(of: waiting))
    waiting.cancel()
    let result = Mutex<TaskLayout?>(nil)
    let runs = bench.start {
      let queued = Task(executorPreference: bench) {}
      let (visitors, own) = unsafe (bench.visitors, UInt(bitPattern: knot_current_task()))
      guard visitors.count == 3 else { return }
      let specimens = Specimens(
        size: size, waits: waits, cancelled: look(waits.address),
        awaits: look(address(of: awaiting)), owner: look(address(of: owner)),
        member: look(visitors[1]), parent: look(address(of: parent)), child: look(visitors[2]),
        queued: look(address(of: queued)), ended: look(address(of: ended)), runs: look(own))
      guard specimens.all.allSatisfy({ $0.words.count == size / 4 + 16 }) else { return }
      let layout = TaskLayout(specimens, memory)
      result.withLock { $0 = layout }
    }
    bench.end()
    withExtendedLifetime((waiting, awaiting, owner, parent, ended, runs)) {}
    return result.withLock { $0 }
  }

  /// Reads memory of this process.
  @Sendable static func ownMemory(_ address: UInt, _ count: Int) -> [UInt32]? {
    var isRead = false
    let words = unsafe [UInt32](unsafeUninitializedCapacity: count) { buffer, filled in
      isRead = unsafe knot_read(
        buffer.baseAddress, UnsafeRawPointer(bitPattern: address), count * 4)
      filled = isRead ? count : 0
    }
    return isRead ? words : nil
  }

  /// The address of a task.
  ///
  /// `Task` is a frozen struct whose only property is the pointer to the task, which is part of the stable ABI.
  private static func address(of task: Task<Void, Never>) -> UInt {
    unsafe unsafeBitCast(task, to: UInt.self)
  }
}

/// A task executor that runs its tasks on the thread that creates them.
private final class Bench: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var visitors: [UInt] = []
    var waiting: [CheckedContinuation<Void, Never>] = []
  }
  private let state = Mutex(State())

  /// The tasks that called ``wait()``, in the order of their calls.
  var visitors: [UInt] { state.withLock { $0.visitors } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
  }

  /// Starts a task and runs all ready jobs.
  func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let task = Task(
      name: TaskLayout.Specimens.name, executorPreference: self, operation: body)
    work()
    return task
  }

  func wait() async {
    let task = unsafe UInt(bitPattern: knot_current_task())
    await withCheckedContinuation { continuation in
      state.withLock { state in
        state.visitors.append(task)
        state.waiting.append(continuation)
      }
    }
  }

  /// Resumes all waiting tasks.
  func end() {
    for continuation in state.withLock({ $0.waiting }) { continuation.resume() }
    work()
  }

  private func work() {
    while let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
