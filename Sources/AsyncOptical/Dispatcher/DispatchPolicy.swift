internal import AsyncKnot

/// Decides how a request or command affects earlier ones with the same id, and when it starts.
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
/// another instance's `.latest(1)`. Ids of different types are never equal.
public enum DispatchPolicy: Sendable {
  /// Starts immediately, independently of all other messages.
  case concurrent
  /// Starts when all earlier messages with the same id have ended or, with `atMost`, when all of them have
  /// started and fewer than `atMost` are in flight.
  ///
  /// Each waiting message uses its own limit, which must be positive.
  case serial(any Hashable & Sendable, atMost: Int = 1)
  /// Starts immediately and cancels the message in flight, whose later writes are dropped.
  case latest(any Hashable & Sendable)
  /// Starts immediately, unless a message with this id is in flight.
  ///
  /// If such a message is in flight, the new message is not carried out, and a caller of `perform(_:)` receives the outcome of
  /// the message in flight.
  ///
  /// With `freshFor`, the message is also not carried out if its id has a fresh response. A response is fresh if it came from a
  /// message with a `freshFor`, it is younger than this message's `freshFor` on the holder's `clock`, and `invalidate(_:)` was
  /// not called after that message began. A failure is not a response. A message with `.zero` reuses no response, but later
  /// messages can use its response.
  case exclusive(any Hashable & Sendable, freshFor: Duration? = nil)
  /// Starts the last message with this id after a quiet period in which no other message with the id was sent.
  ///
  /// The message in flight is cancelled as soon as the holder takes the next message, not when the next message starts, so the
  /// cancelled message changes nothing during the quiet period. The last message determines the length of this period, which is
  /// measured on the holder's `clock`. If the period is not positive, the message starts immediately. With `atMost`, the last
  /// message sent so far starts no later than `atMost` after the quiet period first began, even if more messages follow.
  case debounced(any Hashable & Sendable, for: Duration, atMost: Duration? = nil)
  /// Starts the first message immediately, then the last message of each following interval.
  ///
  /// The interval, which must be positive, is measured on the holder's `clock`. While a message is in
  /// flight, no other message starts. The last message sent in the meantime starts at the end of the interval in
  /// which the message in flight ends.
  case throttled(any Hashable & Sendable, for: Duration)
}

/// The lane and the parameters of a policy.
struct Terms: Sendable {
  let lane: Lane
  /// The number of messages of the lane, including this one, that may be in flight when this message starts.
  var limit = 1
  /// The quiet period of `.debounced` or the interval of `.throttled`; `nil` for a message that does not wait for a clock.
  var interval: Duration?
  /// The longest time that messages of a debounced lane wait; `nil` if there is no limit.
  var longest: Duration?
  /// The age up to which a response of an exclusive id is fresh; `nil` if responses are not reused.
  var fresh: Duration?

  /// Whether the lane must know when the message is admitted and when it ends.
  var isTimed: Bool { interval != nil || fresh != nil }

  /// The terms of a message that affects no other message.
  static var concurrent: Terms { Terms(lane: Lane(.concurrent, 0)) }
}

extension DispatchPolicy {
  /// The terms of this policy; traps if a limit or an interval is not positive.
  var terms: Terms {
    switch self {
    case .concurrent: return .concurrent
    case .serial(let id, let limit):
      precondition(
        limit >= 1,
        "DispatchPolicy.serial(\(id), atMost:): needs a limit of at least 1 message in flight; got \(limit)"
      )
      return Terms(lane: Lane(.serial, id), limit: limit)
    case .latest(let id): return Terms(lane: Lane(.latest, id))
    case .exclusive(let id, let age):
      return Terms(lane: Lane(.exclusive, id), fresh: age?.waitable)
    case .debounced(let id, let quiet, let longest):
      return Terms(
        lane: Lane(.debounced, id), interval: quiet.waitable,
        longest: longest?.waitable)
    case .throttled(let id, let interval):
      precondition(
        interval > .zero,
        "DispatchPolicy.throttled(\(id), for:): needs an interval above 0; got \(interval)")
      return Terms(lane: Lane(.throttled, id), interval: interval.waitable)
    }
  }
}

/// The outcome of a message that `perform(_:)` has sent.
public enum DispatchOutcome: Error {
  /// The handler has returned, and all its writes were applied.
  case carriedOut
  /// The handler has returned, but a request failed. The value is the first error. `recover` has received
  /// it, unless it is a `CancellationError`.
  case failed(any Error)
  /// The message was not carried out, because the response of an earlier one is fresh.
  case fresh
  /// The message was superseded or cancelled while it ran. Its later writes are dropped.
  case superseded
  /// The message was not carried out: its policy, a cancellation or a full mailbox dropped it.
  case dropped
  /// The message was not carried out, because another message with its `.exclusive` id was in flight. The value is
  /// the outcome of that message, which may be a different request.
  indirect case joined(DispatchOutcome)
  /// The caller was cancelled while it waited. The message continues, because other callers wait for it, or because it or a
  /// message that joined it was sent with `send(_:)`.
  case callerCancelled
  /// The message was not carried out, because the handler that performed it would have waited for itself.
  case deadlock
}

extension DispatchOutcome {
  /// Returns normally if the message was carried out or a response is fresh; otherwise throws.
  ///
  /// <!-- sample: func open() async throws { … } -->
  /// ```swift
  /// try await feed.perform(.load).get()
  /// ```
  ///
  /// - Throws: The error of `.failed`; a `CancellationError` for `.superseded`, `.dropped` and `.callerCancelled`; the
  ///   outcome itself for `.deadlock`. For `.joined`, throws what the joined outcome throws.
  public func get() throws {
    switch self {
    case .carriedOut, .fresh: break
    case .failed(let error): throw error
    case .superseded, .dropped, .callerCancelled: throw CancellationError()
    case .deadlock: throw self
    case .joined(let outcome): try outcome.get()
    }
  }
}

extension DispatchOutcome: Hashable {
  /// Returns whether two outcomes are equal.
  ///
  /// Two errors are equal if their descriptions are equal.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.carriedOut, .carriedOut), (.fresh, .fresh), (.superseded, .superseded),
      (.dropped, .dropped), (.callerCancelled, .callerCancelled), (.deadlock, .deadlock):
      true
    case (.failed(let one), .failed(let other)): "\(one)" == "\(other)"
    case (.joined(let one), .joined(let other)): one == other
    default: false
    }
  }

  /// Hashes an outcome; its error is hashed by the error's description, because `==` compares descriptions.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .failed(let error): hasher.combine("failed \(error)")
    case .joined(let other): other.hash(into: &hasher)
    default: hasher.combine("\(self)")
    }
  }
}

/// Limits how many messages may wait for an actor, and decides which message is dropped when there are more.
///
/// <!-- sample: actor Inbox { … } -->
/// ```swift
/// nonisolated var mailboxPolicy: MailboxPolicy { .newest(100) }
/// ```
/// A message counts as waiting from the call that sends it until it starts. In the meantime it may be in the mailbox, or wait for
/// another message with its id or for a clock. A call to `cancel(_:)` is never dropped and does not count.
public enum MailboxPolicy: Sendable, Hashable {
  /// Keeps every message.
  case unbounded
  /// Keeps at most this many messages and drops each message that is sent while that many are waiting.
  case oldest(Int)
  /// Keeps at most this many messages. Each further message drops the oldest one. Messages that
  /// are still in the mailbox are dropped before messages that wait for their policy.
  case newest(Int)
}
