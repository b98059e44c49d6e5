/// A moment at which other jobs of the exploration may run, in the middle of synchronous code.
///
/// ```swift
/// let seen = box.withLock { $0.version }
/// preemptionPoint()                       // another thread could come in here
/// box.withLock { $0.waiters.append(…) }
/// ```
/// Jobs are exchanged where tasks suspend. Threads are also preempted between two critical sections;
/// put this there to explore that, too. Outside an exploration it does nothing. Never call it with
/// a lock held: a job that takes the lock would wait for ever.
public func preemptionPoint() { Explorer.current?.preempt() }
