/// One log: the actor that reads it, and the batches of lines it yields.
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
  private var journal = JournalExport()

  init(path: String, follows: Bool) {
    self.path = path
    tail = FileTail(path: path, follows: follows)
  }

  /// The next lines; `nil` when there are none for now.
  func next() throws(SourceError) -> LineBatch? {
    while true {
      var batch: LineBatch
      switch try tail.read() {
      case .bytes(let bytes, let isBacklog):
        batch = splitter.split(journal.lines(bytes))
        batch.isBacklog = isBacklog
      case .seam: batch = finishSplitting()
      case .end: return nil
      }
      if !batch.isEmpty { return batch }
    }
  }

  /// The last line, when it has no line ending and will get none.
  func finish() -> LineBatch? {
    let batch = finishSplitting()
    return batch.isEmpty ? nil : batch
  }

  private func finishSplitting() -> LineBatch {
    var batch = splitter.split(journal.finish())
    batch.append(splitter.finish())
    return batch
  }

  /// The lines up to the end of the file.
  nonisolated func batches() -> LineBatches<AsyncStream<Void>> {
    LineBatches(file: self, wakeups: AsyncStream { $0.finish() })
  }

  /// The lines up to the end of `wakeups`: each one looks whether the file has grown.
  nonisolated func batches<Wakeups: AsyncSequence & Sendable>(
    waking wakeups: Wakeups
  ) -> LineBatches<Wakeups> where Wakeups.Failure == Never {
    LineBatches(file: self, wakeups: wakeups)
  }
}
