/// What can happen to an item: the actions that a surface or a cell sends.
///
/// A cell's own actions are payloads of `ok`, of any type:
///
/// <!-- sample:
/// let event = NodeEvent(model: poll, action: .didSelect, path: path)
/// func count(_ vote: Vote) {}
/// -->
/// ```swift
/// channel.send(.ok(info: Vote(choice: 2)), from: poll, at: path)
/// if let vote = event.action.payload(as: Vote.self) { count(vote) }
/// ```
public enum NodeAction: Sendable {
  /// The user selected the item.
  case didSelect
  /// The item is no longer selected.
  case didDeselect
  /// A touch or a cursor came onto the item.
  case didHighlight
  /// The touch or the cursor left the item.
  case didUnhighlight
  /// The item is about to be visible.
  case willDisplay
  /// The item is no longer visible, or gone.
  case endDisplay
  /// The cell's own action, with a payload of the cell's choice, or without one.
  case ok(info: (any Sendable)? = nil)
  /// The user declined what the cell offered.
  case cancel
}

extension NodeAction {
  /// The payload of `ok`.
  ///
  /// - Parameter type: The type of the payload.
  /// - Returns: The payload; `nil` for another action, no payload, or a payload of another type.
  public func payload<Payload>(as type: Payload.Type = Payload.self) -> Payload? {
    guard case .ok(let info?) = self else { return nil }
    return info as? Payload
  }
}

extension NodeAction: Equatable {
  /// Whether both are the same action with equal payloads.
  ///
  /// Payloads are equal if they have one `Equatable` type and are equal by its `==`; other payloads
  /// are unequal.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs, rhs) {
    case (.didSelect, .didSelect), (.didDeselect, .didDeselect),
      (.didHighlight, .didHighlight), (.didUnhighlight, .didUnhighlight),
      (.willDisplay, .willDisplay), (.endDisplay, .endDisplay), (.cancel, .cancel):
      true
    case (.ok(nil), .ok(nil)): true
    case (.ok(let lhs), .ok(let rhs)): (lhs as? any Equatable).map { isEqual($0, rhs) } ?? false
    case (.didSelect, _), (.didDeselect, _), (.didHighlight, _), (.didUnhighlight, _),
      (.willDisplay, _), (.endDisplay, _), (.cancel, _), (.ok, _):
      false
    }
  }
}

/// Whether two values of types unknown here have one type and are equal.
private func isEqual<Value: Equatable>(_ lhs: Value, _ rhs: (any Sendable)?) -> Bool {
  rhs as? Value == lhs
}
