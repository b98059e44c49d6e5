/// The name of a function as its author would write it.
///
/// `closure #1 @Sendable () async -> () in Zoo.Bank.transfer(Swift.Int) async -> ()` becomes
/// `closure #1 in Bank.transfer(Int)`. A closure within a closure gets both numbers, the outer one first:
/// `closure #2.1 in Bank.transfer(Int)` is the first closure in the second closure of the function.
struct FunctionName: CustomStringConvertible {
  let description: String
  /// Whether it belongs to the standard library, the testing library or this package.
  let isOurs: Bool

  /// Shortens a name that the runtime has demangled.
  init(demangled: String) {
    var text = demangled
    for prefix in Self.prefixes {
      if let range = text.firstRange(of: prefix) { text = String(text[range.upperBound...]) }
    }
    // A copy of a generic function that the compiler has made for certain types.
    if text.contains("specialization <"), let range = text.firstRange(of: "> of ") {
      text = String(text[range.upperBound...])
    }
    text = text.replacing("static ", with: "")
    // " in " separates a closure from its function. An extension is named by the module that has it, and
    // a private type loses the number of its file; both would have an " in " of their own.
    text = text.replacing(/\(extension in (\w+)\):\w+\./) { "\($0.output.1)." }
    text = text.replacing(/\((\w+) in _[0-9A-F]+\)/) { "\($0.output.1)" }

    let parts = text.split(separator: " in ")
    let closures = parts.prefix { $0.hasPrefix("closure #") || $0.hasPrefix("implicit closure #") }
    let declared = parts.dropFirst(closures.count).first
    let function = declared.map(Self.short) ?? ""
    // A witness names the requirement first, and last the module of the type that has the witness.
    let modules = [declared, parts.last].compactMap { $0 }.map { part in
      String(part.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
    // The names of the runtime's own functions, which are C++, begin with an underscore; a function of C has
    // a name only. A macro, such as `@Test`, names its functions by a mangled name.
    isOurs =
      demangled.hasPrefix("_") || !demangled.contains(where: { ".(".contains($0) })
      || text.contains("$s") || !Self.ourModules.isDisjoint(with: modules)
      || Self.glue.contains { text.hasPrefix($0) }
    description =
      closures.isEmpty ? function : "closure #\(Self.numbers(of: closures)) in \(function)"
  }

  /// The words that the compiler puts before the name of a function.
  private static let prefixes = [
    "await resume partial function for ", "suspend resume partial function for ",
    "partial apply forwarder for ", "protocol witness for ", "dispatch thunk of ",
  ]

  /// How the names of functions begin that the compiler has made on its own.
  private static let glue = [
    "reabstraction thunk", "thunk for ", "@escaping ", "@callee", "specialized ",
  ]

  private static let ourModules: Set<String> = [
    "Swift", "_Concurrency", "Synchronization", "Testing", "Dispatch", "Foundation",
    "FoundationEssentials",
    "AsyncKnot", "AsyncOptical", "AsyncDiff", "AsyncKnotTesting",
  ]

  /// The numbers of closures, of which each is in the next one, from the outermost.
  private static func numbers(of closures: some BidirectionalCollection<Substring>) -> String {
    closures.reversed().map { closure in
      closure.drop { $0 != "#" }.dropFirst().prefix { $0.isNumber }
    }.joined(separator: ".")
  }

  /// Drops the module, the generic parameters, what follows the parameters, and the modules of the
  /// parameters' types.
  private static func short(_ part: Substring) -> String {
    var text = String(part)
    for word in [" async", " throws", "__owned ", "__shared "] {
      text = text.replacing(word, with: "")
    }
    var head = ""
    var parameters = ""
    var rest = text[...]
    while let character = rest.first {
      if character == "(" {
        parameters = String(bracketed(rest, "(", ")"))
        break
      }
      if [" -> ", " : "].contains(where: rest.hasPrefix) { break }
      // The name of an operator may have a "<", too; it comes after a dot or a space.
      if character == "<", let last = head.last, last.isLetter || last.isNumber || last == "_" {
        rest = rest.dropFirst(bracketed(rest, "<", ">").count)
      } else {
        head.append(character)
        rest = rest.dropFirst()
      }
    }
    let name = head.firstIndex(of: ".").map { head[head.index(after: $0)...] } ?? head[...]
    return String(name) + parameters.replacing(/\w+\.(?=\w)/, with: "")
  }

  /// The text from an opening bracket to the one that closes it; the `>` of an arrow closes nothing.
  private static func bracketed(
    _ text: Substring, _ open: Character, _ close: Character
  ) -> Substring {
    var depth = 0
    var before: Character?
    for index in text.indices {
      if text[index] == open { depth += 1 }
      if text[index] == close, before != "-" || close != ">" { depth -= 1 }
      if depth == 0 { return text[...index] }
      before = text[index]
    }
    return text
  }
}
