/// A service that finds titles.
///
/// Tests and previews use their own closure.
struct Catalogue: Sendable {
  var titles: @Sendable (_ query: String) async throws -> [String]
}

extension Catalogue {
  /// Takes longer if it finds more titles, like a server.
  static let languages = Catalogue { query in
    let found = query.isEmpty ? [] : names.filter { $0.lowercased().contains(query.lowercased()) }
    try await Task.sleep(for: .milliseconds(200 * found.count))
    return found
  }

  private static let names = [
    "Ada", "C", "COBOL", "Erlang", "Fortran", "Haskell", "Java", "JavaScript", "Lisp", "ML",
    "Objective-C", "Pascal", "Prolog", "Python", "Ruby", "Rust", "Scala", "Scheme", "Simula",
    "Smalltalk", "Swift",
  ]
}
