/// How a request or command that is sent goes together with others of the same id that are in flight.
///
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
/// An id is any hashable value. It counts for one holder and one policy: `.latest(1)` has nothing to do
/// with `.serial(1)`, nor with another instance's `.latest(1)`. `cancel(_:)` cancels what is in flight and
/// what waits under one id.
///
/// Ids are compared under a lock: their `==` and `hash(into:)` must not call the holder.
public enum DispatchPolicy: Sendable {
  /// Starts at once, beside everything else.
  case concurrent
  /// Starts when all that were sent before it with the same id have ended.
  case serial(any Hashable & Sendable)
  /// Starts at once and cancels the one in flight, whose late writes are dropped from then on.
  case latest(any Hashable & Sendable)
  /// Starts at once, or is dropped while one is in flight.
  case exclusive(any Hashable & Sendable)
  /// Starts once nothing was sent with this id for a time, and only the last one sent; it cancels one
  /// that is still in flight then. The time is that of the last one.
  case debounced(any Hashable & Sendable, for: Duration)
  /// The first one starts at once, then the last of each interval that follows; one that is in flight
  /// is not disturbed, and an interval at whose end it still is starts none.
  case throttled(any Hashable & Sendable, for: Duration)
}
