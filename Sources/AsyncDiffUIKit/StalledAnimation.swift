internal import AsyncKnot

/// A view has not ended an animation, for which the next snapshot waited.
///
/// `apply` throws it, and `failures` of the list's data source deliver it. The view has the rows of that snapshot, and the
/// next snapshot reloads it.
///
/// <!-- sample: let list = CollectionViewList<Day>(view) { (cell: UICollectionViewListCell, article) in } -->
/// ```swift
/// for await error in list.source.failures where error is StalledAnimation { print(error) }
/// ```
public struct StalledAnimation: Error, CustomStringConvertible {
  /// How long the list has waited.
  public let limit: Duration

  /// What has happened, and what follows.
  public var description: String {
    "performBatchUpdates(_:completion:): the view has not called the completion for \(limit), which is "
      + "animationLimit; its next snapshot reloads it"
  }
}

/// Waits for the end of an animation.
@MainActor struct AnimationEnd {
  /// The caller that waits; nil once it has been answered.
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
  /// - Parameter start: Starts it; its argument is to be called at the end.
  /// - Throws: ``StalledAnimation`` after the limit. An end that comes later changes nothing.
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
