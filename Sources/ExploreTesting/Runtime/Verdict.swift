private import ExploreTestingRuntime
package import Testing

/// Records the kit's failures and warnings for the running Swift Testing or XCTest test.
package enum Verdict {
  /// Records a failure.
  ///
  /// In a process that does not run Swift Testing tests, this method fails the running XCTest test. If none is running, the
  /// method ends the process, because otherwise the failure would not be seen.
  ///
  /// - Parameters:
  ///   - text: The failure's description.
  ///   - isRemark: Whether the failure is only a warning, which fails no test.
  ///   - sourceLocation: Where the failure is recorded.
  package static func record(
    _ text: String, isRemark: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    if isRemark {
      if Test.current != nil, !dropsWarnings {
        Issue.record("\(text)", severity: .warning, sourceLocation: sourceLocation)
        return
      }
      writeError("\(sourceLocation): \(text)\n")
    } else if Test.current != nil || isSwiftTesting {
      Issue.record("\(text)", sourceLocation: sourceLocation)
    } else if !failXCTest(text, sourceLocation) {
      fatalError("\(sourceLocation): no running test can report this: \(text)")
    }
  }

  /// Whether this process runs Swift Testing tests.
  ///
  /// Even then, the current task may belong to no test.
  private static let isSwiftTesting = CommandLine.arguments.contains("swift-testing")

  /// Whether Swift Testing drops warnings without showing them.
  ///
  /// Swift Testing drops warnings if the program that started the process, such as an editor, asked for events of a version
  /// before 6.3. In that case the kit writes warnings to standard error.
  private static let dropsWarnings: Bool = {
    let arguments = CommandLine.arguments.joined(separator: "=")
    guard let match = arguments.firstMatch(of: /event-stream-version=(\d+)\.?(\d*)/) else {
      return false
    }
    return (Int(match.1) ?? 0, Int(match.2) ?? 0) < (6, 3)
  }()

  /// The name of the running XCTest test; `nil` if there is none.
  static var xctestName: String? {
    unsafe withUnsafeTemporaryAllocation(of: String.self, capacity: 1) { name in
      let place = unsafe name.baseAddress.unsafelyUnwrapped
      return unsafe knot_xctest_name(place) ? place.move() : nil
    }
  }

  /// Fails the current XCTest test; returns `false` if there is none.
  private static func failXCTest(_ text: String, _ place: SourceLocation) -> Bool {
    // A string is two words, which is part of the stable ABI.
    let words = unsafe unsafeBitCast(text, to: (UInt, UInt).self)
    return withExtendedLifetime(text) {
      unsafe knot_fail_xctest(words.0, words.1, place.fileID, UInt(place.line))
    }
  }
}
