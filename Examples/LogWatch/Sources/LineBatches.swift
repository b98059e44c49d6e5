/// The lines of one file, as they can be read; the reader's pace is the consumer's.
///
/// It ends some time after the wake-ups do: first it gives out what can still be read, at last the line
/// that has no line ending. A cancelled pipe takes none of these.
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
    /// A file that was just replaced takes a second look to leave.
    private var lastLooks = 2

    init(file: LogFile, wakeups: Wakeups.AsyncIterator) {
      self.file = file
      self.wakeups = wakeups
    }

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(SourceError) -> LineBatch? {
      while true {
        if let batch = try await file.next() { return batch }
        if lastLooks == 0 { return await file.finish() }
        if lastLooks == 1 {
          lastLooks = 0
        } else if await wakeups.next(isolation: actor) == nil {
          lastLooks = 1
        }
      }
    }

    nonisolated(nonsending) mutating func next() async throws(SourceError) -> LineBatch? {
      try await next(isolation: #isolation)
    }
  }
}
