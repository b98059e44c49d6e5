/// An event of an opticle or a binder: a step of a message, or a change of the state.
///
/// ```swift
/// feed.trace(in: bag) { event in print(event) }
/// // Feed: load 7 sent
/// // Feed: load 7 started
/// // Feed: load 7 changed: loaded
/// // Feed: load 7 ended: carriedOut
/// ```
/// The first event of a message is ``Kind/sent``. The message ends once, with ``Kind/ended(_:)`` or ``Kind/joined``. After
/// that, a change can follow, for example when a pending change is withdrawn, and so can a retry or a timeout of an operation that
/// continues.
public struct TraceEvent: Sendable, CustomStringConvertible {
  /// The kinds of events.
  public enum Kind: Sendable {
    /// The message was sent.
    case sent
    /// The message waits because of its policy.
    case waiting
    /// The handler of the message was called.
    case started
    /// The `.exclusive` id of the message is busy, so the message is not carried out. `cause` is the message in flight.
    case joined
    /// An attempt of `retry(_:timeout:_:)` failed with an error. Another attempt follows after a pause, unless the task is
    /// cancelled.
    case retrying(after: Duration, any Error)
    /// An operation did not end within its timeout.
    ///
    /// The associated value is the timeout.
    case timedOut(Duration)
    /// The state changed. The first value is an opticle's ``CommitCause``, a binder's action, or `nil` for a restored state.
    case changed((any Sendable)?, from: any Sendable, to: any Sendable)
    /// The message ended. The handler of a superseded message may return later.
    case ended(DispatchOutcome)
  }

  /// A request or a command.
  public struct Message: Sendable, Identifiable {
    /// A number that no other message of the process has.
    public let id: Int
    /// The request or the command.
    public let value: any Sendable

    /// The enum case of the value without its associated values, the name of a ``Work``, or the type of any other value.
    public var name: String { caseName(value) }
  }

  /// The kind of the event, with its associated values.
  public let kind: Kind
  /// The type of the opticle or binder.
  public let holder: String
  /// A number that no other opticle or binder of the process has.
  public let holderID: Int
  /// The message; `nil` if the event belongs to no message, or to one that was sent while nothing received events.
  public let message: Message?
  /// The message that led to this event, if there is one.
  ///
  /// For ``Kind/sent`` it is the message in whose handler this one was sent. For ``Kind/ended(_:)`` and ``Kind/joined`` it is the
  /// message that superseded or replaced this one, or that this one joined.
  public let cause: Message?
  /// The time on the holder's ``Dispatcher/clock`` since the clock was first read.
  ///
  /// With a `TestClock` it shows how far the clock has been advanced since then.
  public let time: Duration
  /// The time on a `ContinuousClock`, which you can compare across holders.
  public let instant = ContinuousClock.now

  /// A line that names enum cases and types, but does not show their associated values or properties.
  public var description: String {
    let name = message.map { " \($0.name) \($0.id)" } ?? ""
    let reason = cause.map { ", by \($0.name) \($0.id)" } ?? ""
    return "\(holder):\(name) \(kind.name)\(reason)"
  }
}

extension TraceEvent.Kind {
  /// A description of the kind, such as `sent`, `changed: loaded` or `ended: failed`.
  ///
  /// A cause or an outcome is described by its enum case without the associated values. To select events of one kind, match the
  /// case instead.
  public var name: String {
    switch self {
    case .sent, .waiting, .started, .joined: "\(self)"
    case .retrying: "retrying"
    case .timedOut: "timed out"
    case .changed(let cause, _, _): "changed: \(cause.map(caseName) ?? "restored")"
    case .ended(let outcome): "ended: \(caseName(outcome))"
    }
  }
}

/// A type whose description is only a name, so that it can be logged.
protocol Named: CustomStringConvertible {}

/// Returns the name of a `Named` value, of an enum case or, for any other value, of its type.
///
/// Does not use the description of any other value, because that description may contain private data.
///
/// Swift prints a case without associated values by its name, unless the enum has its own description.
private func caseName(_ value: any Sendable) -> String {
  if let value = value as? any Named { return value.description }
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .enum, !(value is any CustomReflectable) else {
    return "\(type(of: value))"
  }
  if let label = mirror.children.first?.label { return label }
  let describesItself =
    value is any CustomStringConvertible || value is any CustomDebugStringConvertible
    || value is any TextOutputStreamable
  return describesItself ? "\(type(of: value))" : "\(value)"
}
