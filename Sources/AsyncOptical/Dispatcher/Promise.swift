internal import Synchronization

/// A result that arrives later; resumes the waiting caller with the first result.
final class Promise<Success: Sendable, Failure: Error>: Sendable {
  private enum Phase {
    case open
    case waiting(CheckedContinuation<Success, Failure>)
    case fulfilled(Result<Success, Failure>)
  }

  private let phase = Mutex(Phase.open)

  /// Resumes a continuation as soon as there is a result; called once.
  func wait(_ continuation: CheckedContinuation<Success, Failure>) {
    let result = phase.withLock { phase -> Result<Success, Failure>? in
      guard case .fulfilled(let result) = phase else {
        phase = .waiting(continuation)
        return nil
      }
      return result
    }
    if let result { continuation.resume(with: result) }
  }

  /// Sets the result; only the first call has an effect.
  func fulfill(_ result: Result<Success, Failure>) {
    let waiting = phase.withLock { phase -> CheckedContinuation<Success, Failure>? in
      switch phase {
      case .open:
        phase = .fulfilled(result)
        return nil
      case .waiting(let continuation):
        phase = .fulfilled(result)
        return continuation
      case .fulfilled: return nil
      }
    }
    waiting?.resume(with: result)
  }
}
