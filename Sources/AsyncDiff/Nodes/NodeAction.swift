/// An action on an item, sent by a surface or a cell.
///
/// For its own actions, a cell sends `ok` with a payload of any type:
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
  /// A touch or a cursor entered the item.
  case didHighlight
  /// The touch or the cursor left the item.
  case didUnhighlight
  /// The item will become visible.
  case willDisplay
  /// The item is no longer visible or no longer exists.
  case endDisplay
  /// The cell's own action, with an optional payload.
  case ok(info: (any Sendable)? = nil)
  /// The user cancelled the cell's own action, for example with a cancel button.
  case cancel
}

extension NodeAction {
  /// Returns the payload of `ok`; `nil` if the action is not `ok`, has no payload, or has a payload of another type.
  public func payload<Payload>(as type: Payload.Type = Payload.self) -> Payload? {
    guard case .ok(let info?) = self else { return nil }
    return info as? Payload
  }
}

extension NodeAction: Equatable {
  /// Whether both are the same action with equal payloads.
  ///
  /// Payloads of the same `Equatable` type are compared with `==`; any other two payloads are unequal.
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

private func isEqual<Value: Equatable>(_ lhs: Value, _ rhs: (any Sendable)?) -> Bool {
  rhs as? Value == lhs
}
