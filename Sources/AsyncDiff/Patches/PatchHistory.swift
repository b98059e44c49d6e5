/// A snapshot and its number in the epoch of its source.
struct NumberedSnapshot<Section: SectionInflator>: Sendable {
  let number: UInt64
  let snapshot: DiffableSnapshot<Section>
}

/// The newest snapshots that were given to observers, for those that come back.
///
/// What nobody was given, nobody can come back with: so a source that nobody follows keeps none.
struct PatchHistory<Section: SectionInflator>: Sendable {
  /// By number, ascending.
  private var given: [NumberedSnapshot<Section>] = []
  /// How many are kept: as many as the observer wants that wants most.
  private var limit = 0

  /// The snapshot with a number, if it is kept.
  func snapshot(_ number: UInt64) -> NumberedSnapshot<Section>? {
    let place = place(of: number)
    guard place < given.count, given[place].number == number else { return nil }
    return given[place]
  }

  /// Notes a snapshot that was given.
  ///
  /// - Returns: What is not kept any more: it must not die under a lock.
  mutating func remember(
    _ snapshot: NumberedSnapshot<Section>, limit wanted: Int
  ) -> NumberedSnapshot<Section>? {
    limit = max(limit, wanted)
    let place = place(of: snapshot.number)
    guard limit > 0, place == given.count || given[place].number != snapshot.number else {
      return nil
    }
    given.insert(snapshot, at: place)
    return given.count > limit ? given.removeFirst() : nil
  }

  private func place(of number: UInt64) -> Int {
    partitionPoint(given.indices) { given[$0].number >= number }
  }
}
