private import ExploreTestingRuntime

/// The executor through which a job comes to the explorer.
enum JobArrival {
  /// The run's task executor.
  case executor
  /// The run's main actor.
  case main
  /// The door, at which tasks wait for an actor of the run.
  case door
}

/// Where a job comes from, and where it is to run.
@safe struct JobOrigin {
  /// The number of its task; 0 where it is no task.
  var taskNumber: UInt64 = 0
  /// The place at which it is to run.
  var place = Place.anywhere
  /// Whether it empties the queue of an actor rather than running one task on it.
  var drains = false
  /// Whether it waits behind jobs that came to its place before it.
  ///
  /// A task that hops may arrive at any moment. One that is created for a place arrives there at once.
  var queues = false
  /// Whether its actor was not made in the run, so that it has to wait its turn there.
  var isShared = false
  /// Whether a thread that does not work for the run sent it to an actor of the run.
  var isForeign = false

  /// Reads the task and the place of a job that is being enqueued.
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
    // The sender has retained the executor, so that the run is still there when the job arrives.
    if let retained = unsafe told.retained {
      isForeign = true
      unsafe Unmanaged<AnyObject>.fromOpaque(retained).release()
    }
  }

  /// The functions in which the task that a job is goes on, from the innermost; empty where it is no task.
  func functions(of job: UnownedJob) -> [UInt] {
    unsafe taskNumber == 0 ? [] : KnotTask(of: job.object)?.functions ?? []
  }

  /// Hands a job over to where it would have gone without the run.
  func forward(_ job: UnownedJob) {
    if place.isMain { return MainActor.shared.enqueue(job) }
    guard !drains, let actor = unsafe place.actor else {
      return globalConcurrentExecutor.enqueue(job)
    }
    unsafe knot_enqueue(job.pointer, actor)
  }
}

extension UnownedJob {
  /// The job itself.
  ///
  /// An unowned job is one pointer, to the job: `Builtin.Job`, part of the stable ABI.
  var pointer: UnsafeRawPointer { unsafe unsafeBitCast(self, to: UnsafeRawPointer.self) }

  /// A job that is a task is an object; kept, it can be asked for its state.
  var object: AnyObject { unsafe Unmanaged.fromOpaque(pointer).takeUnretainedValue() }
}

/// A task that is kept alive; all threads keep its count.
@safe struct KeptTask: Sendable { nonisolated(unsafe) let task: AnyObject }

/// The name of the type of an object at an address.
func typeName(_ address: UnsafeRawPointer) -> String {
  unsafe "\(type(of: Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()))"
}
