/// The differences between two values, as `Mirror` shows them: a line for each property that changed.
package struct StateDifference: CustomStringConvertible, Sendable {
  package private(set) var lines: [String] = []

  package init<Value>(from old: Value, to new: Value) { compare(old, new, at: "") }

  package var description: String { lines.joined(separator: "\n") }

  private mutating func compare(_ old: Any, _ new: Any, at path: String) {
    let (before, after) = (Mirror(reflecting: old), Mirror(reflecting: new))
    guard isWalkable(before, after) else {
      guard !areEqual(old, new) else { return }
      let (before, after) = (text(old), text(new))
      // A value that is not equal to itself, such as NaN, differs where it prints something else.
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
    lines.append(path.isEmpty ? text : "\(path): \(text)")
  }

  private func text(_ value: Any) -> String { (value as? String)?.debugDescription ?? "\(value)" }

  private func step(_ path: String, _ label: String?, _ offset: Int) -> String {
    guard let label else { return "\(path)[\(offset)]" }
    return path.isEmpty ? label : "\(path).\(label)"
  }
}
