internal import AsyncKnot

/// An error thrown when a view does not end an animation within the limit.
///
/// `apply` throws the error, and `failures` of the list's data source delivers it. The view already has the rows of the animated
/// snapshot, and the next snapshot reloads the view.
///
/// <!-- sample: let list = CollectionViewList<Day>(view) { (cell: UICollectionViewListCell, article) in } -->
/// ```swift
/// for await error in list.source.failures where error is StalledAnimation { print(error) }
/// ```
public struct StalledAnimation: Error, CustomStringConvertible {
  /// How long the list waited for the end of the animation.
  public let limit: Duration

  /// The call that the view did not complete, the limit, and what happens next.
  public var description: String {
    "performBatchUpdates(_:completion:): the view did not call the completion within the "
      + "animationLimit of \(limit); the next snapshot reloads the view"
  }
}

/// Waits for the end of an animation.
@MainActor struct AnimationEnd {
  /// Resumes the waiting caller once, with the first result.
  @MainActor private final class Waiter {
    var continuation: CheckedContinuation<Void, any Error>?

    init(_ continuation: CheckedContinuation<Void, any Error>) {
      self.continuation = continuation
    }

    func answer(_ result: Result<Void, any Error>) {
      continuation.take()?.resume(with: result)
    }
  }

  let limit: Duration

  /// Starts an animation and waits for its end.
  ///
  /// - Parameter start: A closure that starts the animation, and calls its argument when the animation ends.
  /// - Throws: ``StalledAnimation`` after the limit. A later end of the animation has no effect.
  func wait(_ start: (@escaping @MainActor () -> Void) -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      let (waiter, limit) = (Waiter(continuation), limit)
      let alarm = Spawn.task {
        try? await Task.sleep(for: limit)
        await waiter.answer(.failure(StalledAnimation(limit: limit)))
      }
      start {
        waiter.answer(.success(()))
        alarm.cancel()
      }
    }
  }
}
