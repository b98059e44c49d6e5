/// How a request or command relates to earlier ones of the same id that are in flight or wait.
///
/// <!-- sample:
/// struct Item { let id: Int }
/// enum Request { case search, open, save(Item), loadMore }
/// struct Policies { … }
/// -->
/// ```swift
/// nonisolated func policy(for request: Request) -> DispatchPolicy {
///   switch request {
///   case .search: .debounced("search", for: .milliseconds(300))
///   case .open: .latest("page")
///   case .save(let item): .serial(item.id)
///   case .loadMore: .exclusive("more")
///   }
/// }
/// ```
/// An id belongs to one holder and one policy: `.latest(1)` is independent of `.serial(1)` and of
/// another instance's `.latest(1)`. Ids of different types are different ids.
public enum DispatchPolicy: Sendable {
  /// Starts at once, independent of all others.
  case concurrent
  /// Starts when all messages sent before it with the same id have ended.
  case serial(any Hashable & Sendable)
  /// Starts at once and cancels the message in flight, whose later writes are dropped.
  case latest(any Hashable & Sendable)
  /// Starts at once, or is dropped if a message with this id is in flight when its turn comes.
  case exclusive(any Hashable & Sendable)
  /// Starts once no message with this id was sent for a time; only the last message starts.
  ///
  /// The time, measured on the holder's `clock`, is that of the last message; one that is not
  /// positive is over at once. A message in flight is cancelled when the next one starts; what it writes
  /// until then counts, unless `cancel(_:)` has ended it.
  case debounced(any Hashable & Sendable, for: Duration)
  /// Starts the first message at once, then the last message of each interval that follows.
  ///
  /// The interval, which must be positive, is measured on the holder's `clock`. While a message is in
  /// flight no other one starts: the last one sent meanwhile starts at the end of the interval in
  /// which the first has ended.
  case throttled(any Hashable & Sendable, for: Duration)
}
