import Testing

extension ExitTest.Result? {
  /// Whether the process wrote `message` to standard error.
  ///
  /// A release build does not print a message for a failed precondition, so there it is enough that the process
  /// ended.
  package func says(_ message: String) -> Bool {
    guard let self else { return false }
    #if DEBUG
      return String(decoding: self.standardErrorContent, as: UTF8.self).contains(message)
    #else
      return true
    #endif
  }
}
