// A stub for compiling samples and running tests, written from the public documentation; not Apple's framework, and not shipped.
@_exported import Foundation

public struct UICellConfigurationState: Sendable {
  public var isEditing = false
  public var isReordering = false
  public var isSelected = false
}

public struct UICellAccessory: Sendable {
  public enum DisplayedState: Sendable { case always, whenEditing, whenNotEditing }
  /// Whether the accessory is a reorder control, and when it is displayed.
  let isReorder: Bool
  let displayed: DisplayedState

  public static func reorder(displayed: DisplayedState = .whenEditing) -> UICellAccessory {
    UICellAccessory(isReorder: true, displayed: displayed)
  }

  func isDisplayed(whenEditing isEditing: Bool) -> Bool {
    switch displayed {
    case .always: true
    case .whenEditing: isEditing
    case .whenNotEditing: !isEditing
    }
  }
}

/// Traps if a UIKit rule is broken.
func check(_ holds: Bool, _ rule: String) {
  guard holds else { fatalError("UIKit's rules: \(rule)") }
}
