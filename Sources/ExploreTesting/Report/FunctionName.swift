/// The name of a function as its author would write it, without its parameters.
///
/// `closure #1 @Sendable () async -> () in Zoo.Bank.transfer(Swift.Int) async -> ()` becomes
/// `closure #1 in Bank.transfer`. A closure within a closure gets both numbers, the outer one first:
/// `closure #2.1 in Bank.transfer` is the first closure in the second closure of the function.
struct FunctionName: CustomStringConvertible {
  let description: String
  /// The function without its closures.
  let function: String
  /// The closures alone, as in `closure #2.1`; `nil` where it is none.
  let closure: String?
  /// Whether it belongs to the standard library, the testing library or this package.
  let isOurs: Bool
  /// Whether the compiler has made it on its own, so that its name says nothing.
  let isGlue: Bool
  /// Whether it belongs to this package, but is none of those that start tasks for others.
  let isPackages: Bool

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
    text = text.replacing(/\(in _[0-9A-F]+\)\./, with: "")
    text = text.replacing(/< where [^<>]*>/, with: "")

    let parts = text.split(separator: " in ")
    let closures = parts.prefix { $0.hasPrefix("closure #") || $0.hasPrefix("implicit closure #") }
    let declared = parts.dropFirst(closures.count).first ?? ""
    // A witness names the requirement first, and last the module of the type that has the witness.
    let modules = [declared, parts.last ?? ""].map { part in
      String(part.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
    // The names of the runtime's own functions, which are C++, begin with an underscore; a function of C has
    // a name only. A macro, such as `@Test`, names its functions by a mangled name.
    isGlue = Self.glue.contains { [text] in text.hasPrefix($0) }
    isOurs =
      isGlue || demangled.hasPrefix("_") || !demangled.contains(where: { ".(".contains($0) })
      || text.contains("$s") || !Self.ourModules.isDisjoint(with: modules)
    isPackages = !Self.package.isDisjoint(with: modules) && !text.contains(/(Spawn|TaskBag)\./)
    // The module goes, and all from the generic parameters, the parameters, an attribute or the type of a property on. The
    // name of an operator may have a "<", too; it comes after a dot.
    let name = declared.replacing(/(\w)<.*|(?: ?\(|@| -> | : ).*/) { $0.output.1 ?? "" }
    function = String(name.firstIndex(of: ".").map { name[name.index(after: $0)...] } ?? name[...])
    let numbers = closures.reversed().map { closure in
      closure.drop { $0 != "#" }.dropFirst().prefix { $0.isNumber }
    }
    closure =
      closures.isEmpty || isPackages ? nil : "closure #\(numbers.joined(separator: "."))"
    description = closure.map { [function] in "\($0) in \(function)" } ?? function
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

  private static let package: Set<String> = ["AsyncKnot", "AsyncOptical", "AsyncDiff"]
  private static let ourModules: Set<String> = package.union([
    "Swift", "_Concurrency", "Synchronization", "Testing", "Dispatch", "Foundation",
    "FoundationEssentials", "ExploreTesting", "AsyncKnotTesting",
  ])
}
