private import ExploreTestingRuntime

/// The executor through which a job reaches the explorer.
enum JobArrival {
  /// The run's task executor.
  case executor
  /// The run's main actor.
  case main
  /// The run's door: the executor on which tasks wait for a default actor of the run.
  case door
}

/// The origin of a job, and where it has to run.
@safe struct JobOrigin {
  /// The number of the job's task; 0 if the job is not a task.
  var taskNumber: UInt64 = 0
  /// Where the job has to run.
  var place = Place.anywhere
  /// Whether the job empties an actor's queue instead of running one task on the actor.
  var drains = false
  /// Whether the job waits behind earlier jobs for the same actor.
  ///
  /// A task that hops may arrive at any moment, so it does not wait behind others. A task that is created on an actor arrives
  /// there immediately.
  var queues = false
  /// Whether the actor was created before the run, so that the run has to wait for its turn to use the actor.
  var isShared = false
  /// Whether a thread outside the run sent the job to an actor of the run.
  var isForeign = false

  /// Reads the task and the actor of a job that is being enqueued.
  init(of job: UnownedJob, _ arrival: JobArrival) {
    let pointer = unsafe job.pointer
    taskNumber = unsafe knot_task_number(pointer)
    let told = unsafe knot_take_arrival()
    switch arrival {
    case .executor:
      if taskNumber == 0, let actor = unsafe knot_drained_actor(pointer) {
        place = unsafe Place(actor: actor)
        drains = true
      }
    case .main:
      place = .main
      queues = unsafe !told.hops
    case .door:
      place = unsafe Place(actor: told.actor)
      queues = unsafe !told.hops
    }
    isShared = unsafe told.isShared
    // The sender retained the executor, so that the run still exists when the job arrives.
    if let retained = unsafe told.retained {
      isForeign = true
      unsafe Unmanaged<AnyObject>.fromOpaque(retained).release()
    }
  }

  /// The functions in which the job's task continues, innermost first; empty if the job is not a task.
  func functions(of job: UnownedJob) -> [UInt] {
    unsafe taskNumber == 0 ? [] : KnotTask(at: UInt(bitPattern: job.pointer))?.functions ?? []
  }

  /// Forwards a job to the executor that the job would have reached without the run.
  func forward(_ job: UnownedJob) { (drains ? Place.anywhere : place).forward(job) }
}

extension Place {
  /// Enqueues a job outside the run, on the actor of this place or on the global executor.
  func forward(_ job: UnownedJob) {
    if isMain { return MainActor.shared.enqueue(job) }
    guard let actor = unsafe actor else { return globalConcurrentExecutor.enqueue(job) }
    unsafe knot_enqueue(job.pointer, actor)
  }
}

extension UnownedJob {
  /// The address of the job.
  ///
  /// An unowned job is one pointer, `Builtin.Job`, which is part of the stable ABI.
  var pointer: UnsafeRawPointer { unsafe unsafeBitCast(self, to: UnsafeRawPointer.self) }
}

/// The type name of the object at an address.
func typeName(_ address: UnsafeRawPointer) -> String {
  unsafe "\(type(of: Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()))"
}
