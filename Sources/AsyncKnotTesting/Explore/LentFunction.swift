/// A function that a test has lent to an exploration, for as long as that takes.
///
/// The task of a scenario that stalls is suspended in the function for ever, and so holds it for ever;
/// `withoutActuallyEscaping` ends the process for that. ``takeBack(leaving:)`` releases such references. The
/// objects that the function has captured may be gone then. A task that is still suspended in the function
/// does not use them, because its run drops all jobs (`Explorer.close(isAbandoned:)`).
@safe struct LentFunction: Sendable {
  typealias Body = @Sendable () async throws -> Void

  /// A function in a field, which has the layout of ``Words``; the stable ABI says so.
  ///
  /// A function that is passed as a generic argument is wrapped in another one.
  private struct Field { let body: Body }

  /// The two words of a function, which do not count as a reference to what it has captured.
  private struct Words {
    let code: UInt
    let captured: UInt
  }

  private let words: Words

  /// Lends a function; the caller keeps it until the exploration is over.
  init(_ body: @escaping Body) {
    words = unsafe unsafeBitCast(Field(body: body), to: Words.self)
  }

  func callAsFunction() async throws {
    try await unsafe unsafeBitCast(words, to: Field.self).body()
  }

  /// The number of references to what the function has captured.
  var references: Int {
    unsafe UnsafeRawPointer(bitPattern: words.captured).map { unsafe retainCount(of: $0) } ?? 0
  }

  /// Releases the references of calls that have not returned, and never will.
  ///
  /// - Parameter count: The number of references before the first call.
  func takeBack(leaving count: Int) {
    guard let captured = unsafe UnsafeRawPointer(bitPattern: words.captured) else { return }
    for _ in 0..<max(0, references - count) {
      unsafe Unmanaged<AnyObject>.fromOpaque(captured).release()
    }
  }
}

@_silgen_name("swift_retainCount")
private func retainCount(of object: UnsafeRawPointer) -> Int
