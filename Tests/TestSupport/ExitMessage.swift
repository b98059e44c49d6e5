import Testing

extension ExitTest.Result? {
  /// Whether the process wrote `message` to standard error.
  ///
  /// A release build prints no message for a failed precondition, so this method then returns `true` if the process ended.
  package func says(_ message: String) -> Bool {
    guard let self else { return false }
    #if DEBUG
      return String(decoding: self.standardErrorContent, as: UTF8.self).contains(message)
    #else
      return true
    #endif
  }
}
