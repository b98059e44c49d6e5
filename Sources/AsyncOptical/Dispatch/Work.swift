public import AsyncKnot

/// What a desk has to know of the holder whose messages it carries out.
@usableFromInline
protocol Work: SendableMetatype {
  associatedtype Holder: Actor & StateSource
  /// What is sent: a request, or a command.
  associatedtype Message: Sendable
  /// Why a state changed.
  associatedtype Cause: Sendable

  static func policy(of holder: Holder, for message: Message) -> DispatchPolicy
  static func clock(of holder: Holder) -> any Clock<Duration>
  static func desk(of holder: Holder) -> Desk<Self>
  static func carryOut(_ message: Message, on holder: isolated Holder) async
}
