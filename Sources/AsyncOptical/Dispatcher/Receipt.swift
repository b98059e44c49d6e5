internal import AsyncKnot
internal import Synchronization

/// What became of a message that `perform(_:)` has sent.
public enum DispatchOutcome: Sendable, Hashable {
  /// Its handler has returned, and all that it wrote counts.
  case carriedOut
  /// It was superseded or cancelled while it was carried out: what it wrote late was dropped.
  case superseded
  /// It was not carried out: its policy, a cancellation or a full mailbox has dropped it.
  case dropped
}

/// Tells a sender what became of its message: dropped, if it is released without a word.
@usableFromInline
final class Receipt: Sendable {
  private let sender: Mutex<CheckedContinuation<DispatchOutcome, Never>?>

  init(_ sender: CheckedContinuation<DispatchOutcome, Never>) { self.sender = Mutex(sender) }

  deinit { resolve(.dropped) }

  @usableFromInline
  func resolve(_ errand: Errand) { resolve(errand.isRevoked ? .superseded : .carriedOut) }

  private func resolve(_ outcome: DispatchOutcome) {
    sender.withLock { $0.take() }?.resume(returning: outcome)
  }
}

extension Dispatcher {
  /// Sends a message and waits until it is carried out, superseded or dropped.
  ///
  /// ```swift
  /// await feed.perform(.load)   // in a view: .refreshable { await feed.perform(.load) }
  /// ```
  /// The message takes its turn and obeys `policy(for:)`, as with `send`. Cancelling the caller
  /// cancels neither the message nor the waiting. A handler must not perform what waits for its own
  /// serial id: neither would end.
  ///
  /// - Parameter message: The message.
  /// - Returns: What became of it.
  @discardableResult
  public nonisolated func perform(_ message: Dispatched) async -> DispatchOutcome {
    await withCheckedContinuation { sender in
      withDesk { $0.send(message, Receipt(sender), to: self) }
    }
  }
}
