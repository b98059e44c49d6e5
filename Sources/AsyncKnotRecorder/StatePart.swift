internal import AsyncOptical

/// A property of a state, as text, with the lines that describe how it has changed.
struct StatePart: Sendable, Equatable {
  /// The name of the property; empty for a state without properties.
  let name: String
  /// The value; `nil` if the state no longer has the property.
  let value: String?
  var lines: [String] = []

  var byteCount: Int {
    lines.reduce(200 + name.utf8.count + (value?.utf8.count ?? 0)) { $0 + 64 + $1.utf8.count }
  }

  static func parts(of state: Any) -> [StatePart] {
    properties(of: state).map { StatePart(name: $0, value: Excerpt.text($1, 600, isTall: true)) }
  }

  /// Returns the properties that differ, with at most 24 lines in total that describe the differences.
  ///
  /// If a property has more lines than there is room for, `…` replaces the rest of its lines.
  static func changed(from old: Any, to new: Any) -> [StatePart] {
    let (olds, news) = (properties(of: old), properties(of: new))
    guard olds.map(\.name) == news.map(\.name) else {
      // The state may have an existential type, such as `any View`, whose value now has a different concrete type.
      return olds.map { StatePart(name: $0.name, value: nil) } + parts(of: new)
    }
    var room = 24
    return zip(olds, news).compactMap { old, new in
      let lines = StateDifference(from: old.value, to: new.value, atMost: room) {
        Excerpt.text($0, 120)
      }.lines
      if lines.isEmpty { return nil }
      room = max(0, room - lines.count)
      return StatePart(
        name: new.name, value: Excerpt.text(new.value, 600, isTall: true), lines: lines)
    }
  }

  private static func properties(of state: Any) -> [(name: String, value: Any)] {
    let mirror = Mirror(reflecting: state)
    let hasNames = mirror.displayStyle == .struct || mirror.displayStyle == .tuple
    if state is any CustomStringConvertible || !hasNames || mirror.children.isEmpty {
      return [("", state)]
    }
    return mirror.children.enumerated().map { ($1.label ?? "\($0)", $1.value) }
  }
}

extension [StatePart] {
  /// Returns these parts with the values from `changes`, followed by the parts that only `changes` contains.
  func applying(_ changes: [StatePart]) -> [StatePart] {
    let newer = Dictionary(changes.map { ($0.name, $0) }) { $1 }
    let added = changes.filter { change in !contains { $0.name == change.name } }
    return (self + added).map { StatePart(name: $0.name, value: (newer[$0.name] ?? $0).value) }
  }
}
