extension SectionedChange {
  /// The same change with the section moves, as few as before, that take the fewest stages; and its
  /// schedule.
  ///
  /// The sections that stay are one of several longest increasing subsequences. A subsequence that
  /// keeps all sections in place whose items change needs no extra stage for them. If items leave
  /// deleted sections and others enter inserted ones, up to `choicesTried` subsequences are tried,
  /// because no fast exact search is known.
  func withFewestStages(
    oldCount: Int, newCount: Int
  ) -> (change: SectionedChange, schedule: StageSchedule) {
    var places = SectionPlaceTable(sections, oldCount: oldCount, newCount: newCount)
    let traffic = SectionTraffic(self, places)
    let schedule = StageSchedule(self, traffic, places)
    guard schedule.count > 1, !sections.moves.isEmpty else { return (self, schedule) }
    let pairs = sections.updates
    let choices = IncreasingChoices(pairs.map(\.to))
    var best = (change: self, schedule: schedule)
    /// Keeps a choice if it is better than the best one; returns whether no better one exists.
    func consider(_ kept: [Int]) -> Bool {
      var change = self
      change.sections.moves = moves(keeping: kept)
      places.setMoves(change.sections.moves)
      let schedule = StageSchedule(change, traffic, places)
      let rank = (schedule.count, change.movesInPlace)
      if rank < (best.schedule.count, best.change.movesInPlace) { best = (change, schedule) }
      return best.schedule.count < 3 && best.change.movesInPlace == 0
    }
    switch (traffic.leavesDeleted, traffic.entersInserted) {
    case (false, false):
      // Keeping one section whose items change counts more than keeping all other sections in their
      // places.
      let weight = pairs.count + 1
      _ = consider(
        choices.best { member in
          let pair = pairs[member.position]
          return (traffic.isTouched[pair.from] ? weight : 0) + (pair.from == pair.to ? 1 : 0)
        })
    case (true, true) where !traffic.goesThrough && schedule.count > 2:
      let isFound = consider(
        choices.best { traffic.isTouched[pairs[$0.position].from] ? 1 : 0 })
      if !isFound { _ = choices.first(ofAtMost: choicesTried, where: consider) }
    case (true, true), (true, false), (false, true):
      break
    }
    return best
  }

  /// The number of sections that move to the place that they have.
  private var movesInPlace: Int { sections.moves.count { $0.from == $0.to } }

  /// The greatest number of subsequences that are tried: each takes a walk over all sections, so
  /// there are fewer for more than 1,000 sections.
  private var choicesTried: Int { min(1_000, 1 + 1_000_000 / (sections.updates.count + 1)) }

  /// The moves of all sections that stay, except those kept in place.
  private func moves(keeping kept: [Int]) -> [Changeset.Move] {
    var kept = kept[...]
    return sections.updates.enumerated().compactMap { position, pair in
      guard kept.first == position else { return pair }
      kept.removeFirst()
      return nil
    }
  }
}
