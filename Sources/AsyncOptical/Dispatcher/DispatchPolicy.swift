internal import AsyncKnot

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
  /// Starts when all messages sent before it with the same id have ended; with `atMost`, when all of them
  /// have started, and fewer than so many are in flight.
  ///
  /// The number, which must be positive, is that of the message that waits.
  case serial(any Hashable & Sendable, atMost: Int = 1)
  /// Starts at once and cancels the message in flight, whose later writes are dropped.
  case latest(any Hashable & Sendable)
  /// Starts at once, or is not carried out if a message with this id is in flight when it is taken:
  /// who performs it then gets the outcome of the one in flight.
  ///
  /// With `freshFor`, it is not carried out either if one with this id and a `freshFor` was answered less
  /// than so long ago, on the holder's `clock`, and `invalidate(_:)` was not called since that began. A
  /// failure is no answer. `.zero` is always carried out, and its answer counts.
  case exclusive(any Hashable & Sendable, freshFor: Duration? = nil)
  /// Starts once no message with this id was sent for a time; only the last message starts.
  ///
  /// A message in flight is cancelled when the next one is sent, not when that starts: so nothing of it
  /// shows in the quiet time. The time, measured on the holder's `clock`, is that of the last message;
  /// one that is not positive is over at once. With `atMost`, the last message also starts so long
  /// after the first one that it has replaced, however many follow.
  case debounced(any Hashable & Sendable, for: Duration, atMost: Duration? = nil)
  /// Starts the first message at once, then the last message of each interval that follows.
  ///
  /// The interval, which must be positive, is measured on the holder's `clock`. While a message is in
  /// flight no other one starts: the last one sent meanwhile starts at the end of the interval in
  /// which the first has ended.
  case throttled(any Hashable & Sendable, for: Duration)
}

/// A policy as the lanes see it.
struct Terms: Sendable {
  let lane: Lane
  /// How many messages of the lane may be in flight when this one starts, itself included.
  var limit = 1
  /// The quiet time or interval of a timed lane.
  var interval = Duration.zero
  /// How long messages of a debounced lane wait at most; `nil` if that has no limit.
  var longest: Duration?
  /// How old the answer of an exclusive id may be; `nil` if none is asked for, and none kept.
  var fresh: Duration?

  var isTimed: Bool { lane.kind.isTimed || fresh != nil }

  /// The message relates to no other.
  static var concurrent: Terms { Terms(lane: Lane(.concurrent, 0)) }
}

extension DispatchPolicy {
  /// Traps if a number or an interval is not positive.
  var terms: Terms {
    switch self {
    case .concurrent: return .concurrent
    case .serial(let id, let limit):
      precondition(
        limit >= 1,
        "DispatchPolicy.serial(\(id), atMost:): needs room for one message; got \(limit)")
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
        "DispatchPolicy.throttled(\(id), for:): needs a positive interval; got \(interval)")
      return Terms(lane: Lane(.throttled, id), interval: interval.waitable)
    }
  }
}

/// What became of a message that `perform(_:)` has sent.
public enum DispatchOutcome: Error {
  /// Its handler has returned, and all that it wrote counts.
  case carriedOut
  /// As `carriedOut`, but a request has failed with this error, the first one, of which `recover` has heard.
  case failed(any Error)
  /// It was not carried out, because the answer of one before it is fresh.
  case fresh
  /// It was superseded or cancelled while it was carried out: what it writes from then on is dropped.
  case superseded
  /// It was not carried out: its policy, a cancellation or a full mailbox has dropped it.
  case dropped
  /// It was not carried out, because its `.exclusive` id was busy: this is the outcome of the message in
  /// flight, which may be about something else.
  indirect case joined(DispatchOutcome)
  /// The caller was cancelled while it waited for a message that others wait for, too, or that somebody
  /// has sent: that message continues without the caller.
  case left
  /// It was not carried out: the handler that performs it would have waited for itself.
  case deadlock
}

extension DispatchOutcome {
  /// Returns if the message was carried out, or an answer is fresh; throws otherwise.
  ///
  /// <!-- sample: func open() async throws { … } -->
  /// ```swift
  /// try await feed.perform(.load).get()
  /// ```
  ///
  /// - Throws: The error of `.failed`; a `CancellationError` for a message that was superseded, dropped or
  ///   left; the outcome itself for a deadlock; for one that has joined another, what that one throws.
  public func get() throws {
    switch self {
    case .carriedOut, .fresh: break
    case .failed(let error): throw error
    case .superseded, .dropped, .left: throw CancellationError()
    case .deadlock: throw self
    case .joined(let outcome): try outcome.get()
    }
  }
}

extension DispatchOutcome: Hashable {
  /// Whether the outcomes are the same; two errors are if their descriptions are.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.carriedOut, .carriedOut), (.fresh, .fresh), (.superseded, .superseded),
      (.dropped, .dropped), (.left, .left), (.deadlock, .deadlock):
      true
    case (.failed(let one), .failed(let other)): "\(one)" == "\(other)"
    case (.joined(let one), .joined(let other)): one == other
    default: false
    }
  }

  /// Hashes the description.
  public func hash(into hasher: inout Hasher) { hasher.combine("\(self)") }
}

/// How many messages may wait for an actor, and which are dropped when there are more.
///
/// <!-- sample: actor Inbox { … } -->
/// ```swift
/// nonisolated var mailboxPolicy: MailboxPolicy { .newest(100) }
/// ```
/// A message waits from the call that sends it until it starts: to be taken, for another one of its
/// serial id, or for a clock. A cancellation by id is never dropped and does not count.
public enum MailboxPolicy: Sendable, Hashable {
  /// Every message is kept.
  case unbounded
  /// Keeps at most this many, and drops what is sent beyond them.
  case oldest(Int)
  /// Keeps at most this many; a message beyond them drops the oldest one, first of those whose policy
  /// was not looked at yet.
  case newest(Int)
}
