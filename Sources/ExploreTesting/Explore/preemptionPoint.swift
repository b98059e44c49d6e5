/// Marks a point in synchronous code where the exploration may run other jobs.
///
/// <!-- sample: let box = Mutex((version: 0, value: "")) -->
/// ```swift
/// let seen = box.withLock { $0.version }
/// preemptionPoint()  // another thread could run here
/// box.withLock { if $0.version == seen { $0.version += 1 } }
/// ```
/// An exploration switches between tasks where they suspend. A real thread can also be interrupted between two critical sections
/// of a lock. With this call, the exploration also tries an interruption at that point. Outside an exploration the call does
/// nothing.
///
/// You can call it from any isolation. On Linux you can also call it while you hold a `Mutex`, a POSIX mutex or a semaphore: a
/// job that runs here and needs the lock waits until the lock is free. Elsewhere that job would wait forever.
public func preemptionPoint() { Explorer.current?.preempt() }
