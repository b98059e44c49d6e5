private import AsyncKnotTestingRuntime

/// The file that names the test and the seed of the run that goes on.
///
/// It is there for the case that the run ends the process; otherwise it goes with this.
@safe final class RunLog: Sendable {
  /// The seed in it is written by the thread that works for the run.
  nonisolated(unsafe) let pointer: OpaquePointer

  /// Creates the file.
  ///
  /// - Parameters:
  ///   - test: The name of the test, for people.
  ///   - path: Where the file is.
  ///   - text: What stands in it before the seed.
  init(test: String, path: String, text: String) {
    unsafe pointer = knot_log_create(path, test, text)
  }

  deinit { unsafe knot_log_destroy(pointer) }
}
