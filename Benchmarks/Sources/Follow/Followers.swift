import AsyncDiff

/// Answers the requests of several followers, at most one request from each follower at a time.
actor Followers {
  private let writer: LineWriter
  private let patches: @Sendable (SnapshotRevision?) -> SnapshotPatches<Column>
  private var followers: [String: Follower] = [:]
  private var answers: [String: Task<Void, Never>] = [:]

  init(
    _ writer: LineWriter,
    patches: @escaping @Sendable (SnapshotRevision?) -> SnapshotPatches<Column>
  ) {
    self.writer = writer
    self.patches = patches
  }

  /// Answers a request, and cancels the earlier request of the same follower.
  ///
  /// - Parameter line: The request: the name and the revision of a follower.
  func answer(_ line: String) async {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    guard let name = words.first else { return }
    let follower = followers[name] ?? Follower(name, writer, patches)
    followers[name] = follower
    answers[name]?.cancel()
    await answers[name]?.value
    answers[name] = Task { await follower.answer(since: words.last.flatMap(SnapshotRevision.init)) }
  }

  /// Cancels all responses.
  func end() {
    for answer in answers.values { answer.cancel() }
  }
}

private actor Follower {
  private let name: String
  private let writer: LineWriter
  private let patches: @Sendable (SnapshotRevision?) -> SnapshotPatches<Column>
  private var messages: SnapshotPatches<Column>.AsyncIterator?
  private var given: SnapshotRevision?

  init(
    _ name: String, _ writer: LineWriter,
    _ patches: @escaping @Sendable (SnapshotRevision?) -> SnapshotPatches<Column>
  ) {
    self.name = name
    self.writer = writer
    self.patches = patches
  }

  /// Sends the message that updates a follower's snapshot to the shown list.
  ///
  /// If `revision` is the revision of the last message that was sent, the method continues with the same iterator.
  func answer(since revision: SnapshotRevision?) async {
    let known = revision == given ? messages : nil
    var messages = known ?? patches(revision).makeAsyncIterator()
    guard let message = await messages.next(isolation: self), !Task.isCancelled else {
      self.messages = nil
      return
    }
    self.messages = messages
    given = message.revision
    try? writer.write(message, to: name)
  }
}
