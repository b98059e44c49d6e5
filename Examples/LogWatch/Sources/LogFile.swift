/// An actor that reads one log and delivers its lines in batches.
///
/// ```swift
/// let log = LogFile(path: "access.log", follows: true)
/// for try await batch in log.batches(waking: AsyncInterval(every: .milliseconds(250))) { … }
/// ```
actor LogFile {
  nonisolated let path: String
  private nonisolated let executor = QueueExecutor(label: "LogWatch.file")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var tail: FileTail
  private var splitter = LineSplitter()

  init(path: String, follows: Bool) {
    self.path = path
    tail = FileTail(path: path, follows: follows)
  }

  /// Returns the next lines; `nil` if there are none yet.
  func next() throws(SourceError) -> LineBatch? {
    while true {
      var batch: LineBatch
      switch try tail.read() {
      case .bytes(let bytes, let isBacklog):
        batch = splitter.split(bytes)
        batch.isBacklog = isBacklog
      case .seam: batch = splitter.finish()
      case .end: return nil
      }
      if !batch.isEmpty { return batch }
    }
  }

  /// Returns the last line, if it has no line ending.
  func finish() -> LineBatch? {
    let batch = splitter.finish()
    return batch.isEmpty ? nil : batch
  }

  /// Returns the lines up to the end of the file.
  nonisolated func batches() -> LineBatches<AsyncStream<Void>> {
    LineBatches(file: self, wakeups: AsyncStream { $0.finish() })
  }

  /// Returns the lines until `wakeups` ends; at each wake-up, new lines are read.
  nonisolated func batches<Wakeups: AsyncSequence & Sendable>(
    waking wakeups: Wakeups
  ) -> LineBatches<Wakeups> where Wakeups.Failure == Never {
    LineBatches(file: self, wakeups: wakeups)
  }
}
