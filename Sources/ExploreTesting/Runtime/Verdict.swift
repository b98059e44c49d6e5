private import ExploreTestingRuntime
package import Testing

/// Where the kit's verdicts go: to the test that runs, of whichever library.
package enum Verdict {
  /// Records a failure.
  ///
  /// Where no test of Swift Testing runs, it fails the test of XCTest; where none of these runs either, it ends the
  /// process, because nobody would hear of it.
  ///
  /// - Parameters:
  ///   - text: What is wrong.
  ///   - isRemark: Whether it is a warning only, which fails no test.
  ///   - sourceLocation: The place that it is recorded at.
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

  /// Whether this process runs the tests of Swift Testing, also where the current task belongs to none of them.
  private static let isSwiftTesting = CommandLine.arguments.contains("swift-testing")

  /// Fails the current test of XCTest.
  ///
  /// - Returns: `false` where none runs.
  private static func failXCTest(_ text: String, _ place: SourceLocation) -> Bool {
    // A string is two words: part of the stable ABI.
    let words = unsafe unsafeBitCast(text, to: (UInt, UInt).self)
    return withExtendedLifetime(text) {
      unsafe knot_fail_xctest(words.0, words.1, place.fileID, UInt(place.line))
    }
  }
}
