/// The name of a function as a reader writes it.
///
/// `closure #1 @Sendable () async -> () in Zoo.Bank.transfer(Swift.Int) async -> ()` becomes
/// `closure #1 in Bank.transfer(Int)`.
struct FunctionName: CustomStringConvertible {
  let description: String
  /// Whether it belongs to the standard library, the testing library or this kit.
  let isOurs: Bool

  init(demangled: String) {
    var text = demangled
    for prefix in Self.prefixes {
      if let range = text.firstRange(of: prefix) { text = String(text[range.upperBound...]) }
    }
    // A name that is not Swift's is one of the runtime.
    isOurs = demangled.hasPrefix("_") || Self.ours.contains { text.contains($0) }
    var parts = text.split(separator: " in ", omittingEmptySubsequences: true).map(Self.short)
    parts = parts.filter { !$0.isEmpty }
    description = parts.joined(separator: " in ")
  }

  private static let prefixes = [
    "await resume partial function for ", "suspend resume partial function for ",
    "partial apply forwarder for ", "reabstraction thunk helper for ",
  ]

  private static let ours = [
    "AsyncKnotTesting.", "Testing.", "_Concurrency.", "thunk", "TestSupport.", "Swift.withTask",
    "Swift.withChecked", "Swift.withUnsafe", "(extension in Swift)",
  ]

  /// Drops the module, the attributes and the type that follows the parameters.
  private static func short(_ part: Substring) -> String {
    var text = String(part)
    for word in ["@Sendable ", "@MainActor ", "static ", "implicit ", "@isolated(any) "] {
      text = text.replacing(word, with: "")
    }
    if let range = text.firstRange(of: " -> ") { text = String(text[..<range.lowerBound]) }
    for word in [" async", " throws", " ()"] { text = text.replacing(word, with: "") }
    text = text.replacing("Swift.", with: "")
    if text.hasPrefix("closure") { return text.trimmed }
    guard let dot = text.firstIndex(of: "."), !text[..<dot].contains("(") else {
      return text.trimmed
    }
    return String(text[text.index(after: dot)...]).trimmed
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    while text.first == " " { text.removeFirst() }
    return String(text)
  }
}
