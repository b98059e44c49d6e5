/// The differences between two values as readable text: one line for each property that changed.
///
/// <!-- sample: let (before, after) = (feed.state, feed.state) -->
/// ```swift
/// print(StateDifference(from: before, to: after))
/// // items[2].title: "a" → "b"
/// // items[3]: added Item(title: "c")
/// ```
/// The values are compared as `Mirror` shows them, so they need no conformance. Values of different
/// shape are printed whole.
public struct StateDifference: CustomStringConvertible, Sendable {
  /// A line for each difference; empty if the values look the same.
  public let lines: [String]

  /// Compares two values.
  ///
  /// - Parameters:
  ///   - old: The value before.
  ///   - new: The value after.
  /// - Complexity: O(size of both values).
  public init<Value>(from old: Value, to new: Value) {
    var lines: [String] = []
    Self.compare(old, new, at: "", into: &lines)
    self.lines = lines
  }

  /// The lines, one below the other.
  public var description: String { lines.joined(separator: "\n") }

  private static func compare(_ old: Any, _ new: Any, at path: String, into lines: inout [String]) {
    let (oldMirror, newMirror) = (Mirror(reflecting: old), Mirror(reflecting: new))
    guard isWalkable(oldMirror, newMirror) else {
      if !isEqual(old, new) {
        lines.append(line(path, "\(text(old)) → \(text(new))"))
      }
      return
    }
    let (olds, news) = (oldMirror.children.makeIterator(), newMirror.children.makeIterator())
    var offset = 0
    while true {
      switch (olds.next(), news.next()) {
      case (let old?, let new?):
        compare(old.value, new.value, at: step(path, old.label, offset), into: &lines)
      case (let old?, nil):
        lines.append(line(step(path, old.label, offset), "removed \(text(old.value))"))
      case (nil, let new?):
        lines.append(line(step(path, new.label, offset), "added \(text(new.value))"))
      case (nil, nil): return
      }
      offset += 1
    }
  }

  /// Whether two values are compared part by part: structures, tuples and collections of the same
  /// type.
  private static func isWalkable(_ old: Mirror, _ new: Mirror) -> Bool {
    guard old.subjectType == new.subjectType, old.displayStyle == new.displayStyle else {
      return false
    }
    switch old.displayStyle {
    case .struct, .tuple: return !old.children.isEmpty
    case .collection: return true
    default: return false
    }
  }

  private static func isEqual(_ old: Any, _ new: Any) -> Bool {
    guard let old = old as? any Equatable else { return text(old) == text(new) }
    return old.equals(new)
  }

  private static func text(_ value: Any) -> String {
    if let text = value as? String { return text.debugDescription }
    return "\(value)"
  }

  private static func line(_ path: String, _ text: String) -> String {
    path.isEmpty ? text : "\(path): \(text)"
  }

  private static func step(_ path: String, _ label: String?, _ offset: Int) -> String {
    guard let label else { return "\(path)[\(offset)]" }
    return path.isEmpty ? label : "\(path).\(label)"
  }
}
