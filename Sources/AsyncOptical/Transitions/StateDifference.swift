/// The differences between two values as `Mirror` shows them, with one line for each changed property.
package struct StateDifference: CustomStringConvertible, Sendable {
  package private(set) var lines: [String] = []
  /// The number of pairs of values that are unequal only because a value such as NaN is not equal to itself.
  private var ignoredCount = 0
  private let limit: Int
  private let text: @Sendable (Any) -> String

  /// Compares two values.
  ///
  /// - Parameters:
  ///   - old: The old value.
  ///   - new: The new value.
  ///   - limit: The maximum number of lines. If there are more, `…` follows.
  ///   - text: Describes a value in one line.
  /// - Complexity: O(the size of the values), plus the sorting of changed keys and members. An equal value that is `Equatable`
  ///   costs one `==`.
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
    let (count, ignoredBefore) = (lines.count, ignoredCount)
    let (before, after) = (Mirror(reflecting: old), Mirror(reflecting: new))
    if let olds = Parts(before), let news = Parts(after), before.subjectType == after.subjectType,
      before.displayStyle == after.displayStyle
    {
      compare(olds, news, at: path)
      // Values with equal parts may still differ, because a mirror may hide a part or the order of the parts.
      guard lines.count == count, ignoredCount == ignoredBefore, old is any Equatable else {
        return
      }
    } else if areEqual(old, new) {
      return
    }
    let (oldText, newText) = (text(old), text(new))
    if oldText != newText {
      add(path, "\(oldText) → \(newText)")
    } else if areEqual(old, old) {
      add(path, "\(newText), which differs from the old value although it prints the same")
    } else {
      ignoredCount += 1
    }
  }

  private mutating func compare(_ olds: Parts, _ news: Parts, at path: String) {
    switch (olds, news) {
    case (.listed(let olds), .listed(let news)):
      for (index, (old, new)) in zip(olds, news).enumerated() {
        compare(old.value, new.value, at: step(path, old.label, index))
      }
      for (index, old) in olds.enumerated().dropFirst(news.count) {
        add(step(path, old.label, index), "removed \(text(old.value))")
      }
      for (index, new) in news.enumerated().dropFirst(olds.count) {
        add(step(path, new.label, index), "added \(text(new.value))")
      }
    case (.keyed(let olds), .keyed(let news)):
      let changed = Set(olds.keys).union(news.keys).filter { key in
        guard let old = olds[key], let new = news[key] else { return true }
        return (old as? any Equatable)?.equals(new) != true
      }
      for (name, key) in named(changed) {
        let place = "\(path)[\(name)]"
        switch (olds[key], news[key]) {
        case (let old?, let new?): compare(old, new, at: place)
        case (let old?, nil): add(place, "removed \(text(old))")
        case (nil, let new?): add(place, "added \(text(new))")
        case (nil, nil): break
        }
      }
    case (.members(let olds), .members(let news)):
      for (name, _) in named(olds.subtracting(news)) { add(path, "removed \(name)") }
      for (name, _) in named(news.subtracting(olds)) { add(path, "added \(name)") }
    default: break
    }
  }

  /// Returns the keys with their texts, in an order that does not depend on hash values and puts 2 before 10.
  private func named(_ keys: Set<AnyHashable>) -> [(name: String, key: AnyHashable)] {
    keys.map { (text($0.base), $0) }.sorted { ($0.0.count, $0.0) < ($1.0.count, $1.0) }
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

/// The parts of a value by which it is compared with another one.
private enum Parts {
  case listed([Mirror.Child])
  case keyed([AnyHashable: Any])
  case members(Set<AnyHashable>)

  /// The parts that a mirror shows; `nil` if the value is compared as a whole.
  init?(_ mirror: Mirror) {
    switch mirror.displayStyle {
    case .struct, .tuple:
      if mirror.children.isEmpty { return nil }
      self = .listed(Array(mirror.children))
    case .collection: self = .listed(Array(mirror.children))
    case .dictionary:
      var values: [AnyHashable: Any] = [:]
      for child in mirror.children {
        let pair = Array(Mirror(reflecting: child.value).children)
        guard pair.count == 2, let key = Parts.key(pair[0].value) else { return nil }
        values[key] = pair[1].value
      }
      self = .keyed(values)
    case .set:
      let members = mirror.children.compactMap { Parts.key($0.value) }
      if members.count < mirror.children.count { return nil }
      self = .members(Set(members))
    default: return nil
    }
  }

  /// Returns the value as a key; `nil` if the key could not be found again, because it is not `Hashable` or not equal to itself.
  private static func key(_ value: Any) -> AnyHashable? {
    (value as? AnyHashable).flatMap { $0 == $0 ? $0 : nil }
  }
}
