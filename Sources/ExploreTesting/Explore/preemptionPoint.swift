/// Marks a place in synchronous code at which the exploration may run other jobs.
///
/// <!-- sample: let box = Mutex((version: 0, value: "")) -->
/// ```swift
/// let seen = box.withLock { $0.version }
/// preemptionPoint()  // another thread could come in here
/// box.withLock { if $0.version == seen { $0.version += 1 } }
/// ```
/// An exploration changes from task to task where tasks suspend. A thread may also be interrupted between
/// two critical sections of a lock; this call makes such a place part of the exploration. Outside of an
/// exploration it does nothing.
///
/// It may be called from any isolation. Do not call it while you hold a lock: a job that runs here and takes
/// the lock would wait for ever.
public func preemptionPoint() { Explorer.current?.preempt() }
