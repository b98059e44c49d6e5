import TerminalUI

/// A script of key presses: names of keys and letters, separated by spaces.
///
/// `key*3` repeats a key, and `#` starts a comment.
///
/// ```
/// down down enter    # the second article is read
/// right*2 v q
/// ```
enum KeyScript {
  private static let names: [String: Key] = [
    "up": .up, "down": .down, "left": .left, "right": .right, "enter": .enter,
    "home": .home, "end": .end, "pageup": .pageUp, "shiftup": .shiftUp, "shiftdown": .shiftDown,
    "pagedown": .pageDown, "escape": .escape,
  ]

  static func keys(_ text: String) throws(FeedFileError) -> [Key] {
    var keys: [Key] = []
    for (line, content) in text.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      for word in content.prefix(while: { $0 != "#" }).split(whereSeparator: \.isWhitespace) {
        guard let (key, count) = repeated(word) else {
          throw FeedFileError(description: "line \(line + 1): \"\(word)\" is not a key")
        }
        keys += Array(repeating: key, count: count)
      }
    }
    return keys
  }

  private static func repeated(_ word: Substring) -> (Key, Int)? {
    let parts = word.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count <= 2, let name = parts.first, let key = key(name) else { return nil }
    guard parts.count == 2 else { return (key, 1) }
    return Int(parts[1]).flatMap { (1...1_000).contains($0) ? (key, $0) : nil }
  }

  private static func key(_ name: Substring) -> Key? {
    if let key = names[name.lowercased()] { return key }
    return name.count == 1 ? name.first.map(Key.character) : nil
  }
}
