/// The lines of one file in batches, which are read at the consumer's pace.
///
/// After the wake-ups have ended, the sequence delivers the remaining lines and then the last line, if it has no line ending. A
/// pipe in a cancelled task does not get these lines.
struct LineBatches<Wakeups: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Wakeups.Failure == Never {
  typealias Element = LineBatch
  typealias Failure = SourceError

  let file: LogFile
  let wakeups: Wakeups

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(file: file, wakeups: wakeups.makeAsyncIterator())
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    let file: LogFile
    var wakeups: Wakeups.AsyncIterator
    /// How many more times the file is read once the wake-ups have ended.
    ///
    /// Two, because a replaced file is closed only at the second read without new bytes.
    private var remainingReads = 2

    init(file: LogFile, wakeups: Wakeups.AsyncIterator) {
      self.file = file
      self.wakeups = wakeups
    }

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(SourceError) -> LineBatch? {
      while true {
        if let batch = try await file.next() { return batch }
        if remainingReads == 0 { return await file.finish() }
        if remainingReads == 1 {
          remainingReads = 0
        } else if await wakeups.next(isolation: actor) == nil {
          remainingReads = 1
        }
      }
    }

    nonisolated(nonsending) mutating func next() async throws(SourceError) -> LineBatch? {
      try await next(isolation: #isolation)
    }
  }
}
