/// The operations of a stage, and the sections and items after it.
struct Stage: Equatable, Sendable {
  var operations = ListOperations()
  var sections: [StagedSection] = []
}

/// A section after a stage: its old and new offset, and its items at that time.
struct StagedSection: Equatable, Sendable {
  /// The section's offset in the old list, if it is there.
  var old: Int?
  /// The section's offset in the new list, if it is there.
  var new: Int?
  var items: Items

  enum Items: Equatable, Sendable {
    case allOld
    case allNew
    case merged(MergedList)
  }
}
