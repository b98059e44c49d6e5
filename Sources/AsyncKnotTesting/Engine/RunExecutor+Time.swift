// The runtime asks the executor of a task that calls `Task.sleep` whether it can keep a job until a deadline.
// The protocol for that is not public yet. With a compiler that does not have it, tasks that sleep leave the
// run, and count as foreign work.
#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
  @_spi(ExperimentalScheduling) internal import _Concurrency

  extension RunExecutor: SchedulingExecutor {
    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      enqueue(job, after: clock.now.duration(to: instant), tolerance: tolerance, clock: clock)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      explorer.add(UnownedJob(job), after: delay as? Duration ?? .zero)
    }
  }
#endif
