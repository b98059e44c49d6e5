private import ExploreTestingRuntime
package import Testing

/// Records failures and warnings of the kit for the running test of Swift Testing or XCTest.
package enum Verdict {
  /// Records a failure.
  ///
  /// If no test of Swift Testing runs, this fails the running XCTest test. If no XCTest test runs either, this ends the
  /// process, because otherwise the failure would not be seen.
  ///
  /// - Parameters:
  ///   - text: The failure's description.
  ///   - isRemark: Whether the failure is only a warning, which fails no test.
  ///   - sourceLocation: Where the failure is recorded.
  package static func record(
    _ text: String, isRemark: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    if isRemark {
      #if compiler(>=6.3)
        if Test.current != nil {
          Issue.record("\(text)", severity: .warning, sourceLocation: sourceLocation)
          return
        }
      #endif
      writeError("\(sourceLocation): \(text)\n")
    } else if Test.current != nil || isSwiftTesting {
      Issue.record("\(text)", sourceLocation: sourceLocation)
    } else if !failXCTest(text, sourceLocation) {
      fatalError("\(sourceLocation): no test is running that could fail: \(text)")
    }
  }

  /// Whether this process runs tests of Swift Testing.
  ///
  /// Even then, the current task may belong to no test.
  private static let isSwiftTesting = CommandLine.arguments.contains("swift-testing")

  /// Fails the current test of XCTest; returns `false` if there is none.
  private static func failXCTest(_ text: String, _ place: SourceLocation) -> Bool {
    // A string is two words, which is part of the stable ABI.
    let words = unsafe unsafeBitCast(text, to: (UInt, UInt).self)
    return withExtendedLifetime(text) {
      unsafe knot_fail_xctest(words.0, words.1, place.fileID, UInt(place.line))
    }
  }
}
