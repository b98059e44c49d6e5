/// The differences between two values as `Mirror` shows them, with one line for each changed property.
package struct StateDifference: CustomStringConvertible, Sendable {
  package private(set) var lines: [String] = []
  private let limit: Int
  private let text: @Sendable (Any) -> String

  /// Compares two values.
  ///
  /// - Parameters:
  ///   - old: The old value.
  ///   - new: The new value.
  ///   - limit: The maximum number of lines. If there are more, `…` follows.
  ///   - text: Describes a value in one line.
  /// - Complexity: O(the size of the values). An equal value that is `Equatable` costs one `==`.
  package init(
    from old: Any, to new: Any, atMost limit: Int = .max,
    text: @escaping @Sendable (Any) -> String = {
      ($0 as? String)?.debugDescription ?? "\($0)"
    }
  ) {
    (self.limit, self.text) = (limit, text)
    compare(old, new, at: "")
  }

  package var description: String { lines.joined(separator: "\n") }

  private mutating func compare(_ old: Any, _ new: Any, at path: String) {
    guard lines.count <= limit else { return }
    if let old = old as? any Equatable, old.equals(new) { return }
    let (before, after) = (Mirror(reflecting: old), Mirror(reflecting: new))
    guard isWalkable(before, after) else {
      guard !areEqual(old, new) else { return }
      let (before, after) = (text(old), text(new))
      // A value that is not equal to itself, such as NaN, counts as changed only if it prints differently.
      if before != after || areEqual(old, old) { add(path, "\(before) → \(after)") }
      return
    }
    let (olds, news) = (Array(before.children), Array(after.children))
    for (index, (old, new)) in zip(olds, news).enumerated() {
      compare(old.value, new.value, at: step(path, old.label, index))
    }
    for (index, old) in olds.enumerated().dropFirst(news.count) {
      add(step(path, old.label, index), "removed \(text(old.value))")
    }
    for (index, new) in news.enumerated().dropFirst(olds.count) {
      add(step(path, new.label, index), "added \(text(new.value))")
    }
  }

  private func isWalkable(_ old: Mirror, _ new: Mirror) -> Bool {
    guard old.subjectType == new.subjectType, old.displayStyle == new.displayStyle else {
      return false
    }
    switch old.displayStyle {
    case .struct, .tuple: return !old.children.isEmpty
    case .collection: return true
    default: return false
    }
  }

  private mutating func add(_ path: String, _ text: String) {
    guard lines.count <= limit else { return }
    lines.append(lines.count == limit ? "…" : path.isEmpty ? text : "\(path): \(text)")
  }

  private func step(_ path: String, _ label: String?, _ offset: Int) -> String {
    guard let label else { return "\(path)[\(offset)]" }
    return path.isEmpty ? label : "\(path).\(label)"
  }
}
