import AsyncDiff

/// A list that pages follow, at its current revision.
struct Feed: Sendable {
  let name: String
  let revision: SnapshotRevision
  /// The machine's load, in hundredths.
  let load: Int
  /// Returns the event that updates a page from the given revision to the feed's revision or a newer one; `nil` if no message
  /// arrives within 200 ms.
  let event: @Sendable (SnapshotRevision?, _ isPacked: Bool) async -> FleetEvent?
}

extension Feed {
  /// Creates a feed from a relay; `nil` while the relay is empty.
  init?<Section: SectionInflator>(
    _ name: String, _ relay: SnapshotRelay<Section>, load: (Section.Content) -> Int = { _ in 0 }
  ) where Section.DiffIdentifier: Codable, Section.Content: Codable, Section.Item: Codable {
    let mirror = relay.state
    guard let revision = mirror.revision else { return nil }
    self.name = name
    self.revision = revision
    self.load = mirror.snapshot.sections.first.map { load($0.content) } ?? 0
    event = { known, isPacked in
      guard let message = await Self.message(of: relay, since: known) else { return nil }
      return FleetEvent(of: name, message, isPacked: isPacked)
    }
  }

  /// Returns the message that follows a revision; `nil` if no message arrives within 200 ms.
  private static func message<Section: SectionInflator>(
    of relay: SnapshotRelay<Section>, since revision: SnapshotRevision?
  ) async -> SnapshotMessage<Section>? {
    await withTaskGroup { group in
      group.addTask {
        var messages = relay.patches(since: revision, full: .whereNeeded).makeAsyncIterator()
        return await messages.next()
      }
      group.addTask {
        try? await Task.sleep(for: .milliseconds(200))
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }
}
