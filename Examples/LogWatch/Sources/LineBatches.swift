/// The lines of one file, as they can be read; the reader's pace is the consumer's.
///
/// It ends with the wake-ups, after the last line was given out, also when that has no line ending.
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

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(SourceError) -> LineBatch? {
      repeat {
        if let batch = try await file.next() { return batch }
      } while await wakeups.next(isolation: actor) != nil
      return await file.finish()
    }

    nonisolated(nonsending) mutating func next() async throws(SourceError) -> LineBatch? {
      try await next(isolation: #isolation)
    }
  }
}
