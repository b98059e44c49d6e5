/// The first part of a value's description, up to a given length.
///
/// Only this part is converted to text, unless the value has its own `description`.
struct Excerpt {
  private var text = ""
  private var room: Int
  private let separator: String
  private var isCut = false
  /// The number of elements of the outermost collection that does not fit; `nil` if no collection is cut.
  private var elementCount: Int?

  // If `isTall` is true and the value is a dictionary, or a collection whose first element has parts, each element is on its own
  // line.
  static func text(_ value: Any, _ length: Int, isTall: Bool = false) -> String {
    var excerpt = Excerpt(room: length, separator: isTall ? ",\n " : ", ")
    excerpt.add(value)
    guard excerpt.isCut else { return excerpt.text }
    return excerpt.text + "…" + (excerpt.elementCount.map { " (\($0) elements)" } ?? "")
  }

  private init(room: Int, separator: String) { (self.room, self.separator) = (room, separator) }

  private mutating func add(_ value: Any) {
    let mirror = Mirror(reflecting: value)
    let (style, children) = (mirror.displayStyle, mirror.children)
    switch style {
    case .dictionary where !children.isEmpty:
      let pairs = children.lazy.map { [room] child in
        let pair = Array(Mirror(reflecting: child.value).children)
        // A type's own mirror may label its values instead of pairing them with keys.
        guard pair.count == 2 else { return (label: child.label, value: child.value) }
        return (label: Excerpt.text(pair[0].value, room) as String?, value: pair[1].value)
      }
      list(Mirror.Children(pairs), "[", "]", separator: text.isEmpty ? separator : ", ")
    case .collection, .set:
      let isFlat = children.first.map { Mirror(reflecting: $0.value).children.isEmpty } ?? true
      list(children, "[", "]", separator: isFlat || !text.isEmpty ? ", " : separator)
    case .optional where !children.isEmpty: children.forEach { add($0.value) }
    case .struct, .tuple, .enum:
      guard !(value is any CustomStringConvertible), let first = children.first else { fallthrough }
      put(style == .struct ? "\(mirror.subjectType)" : style == .enum ? first.label ?? "" : "")
      let payload = Mirror(reflecting: first.value)
      let isOfTuple = style == .enum && payload.displayStyle == .tuple
      let alone = Mirror.Children([(label: nil, value: first.value)])
      list(style != .enum ? children : isOfTuple ? payload.children : alone, "(", ")")
    default:
      let string = (value as? String)?.prefix(room + 1)
      put(string?.debugDescription ?? "\(value)")
    }
  }

  private mutating func list(
    _ children: Mirror.Children, _ opening: String, _ closing: String, separator: String = ", "
  ) {
    put(opening)
    for (offset, child) in children.enumerated() {
      if isCut { break }
      if offset > 0 { put(separator) }
      if let label = child.label, !label.hasPrefix(".") { put("\(label): ") }
      add(child.value)
    }
    put(closing)
    if isCut, opening == "[" { elementCount = children.count }
  }

  private mutating func put(_ piece: String) {
    let clipped = piece.prefix(room)
    text += clipped
    room -= clipped.count
    if clipped.count < piece.count { isCut = true }
  }
}
