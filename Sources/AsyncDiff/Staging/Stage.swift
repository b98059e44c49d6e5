/// What a surface carries out at once, and which sections and items there are after it.
struct Stage: Equatable, Sendable {
  var sectionDeletes: [Int] = []
  var sectionInserts: [Int] = []
  var sectionMoves: [Changeset.Move] = []
  var sectionUpdates: [Changeset.Move] = []
  var itemDeletes: [ItemPath] = []
  var itemInserts: [ItemPath] = []
  var itemMoves: [ItemMove] = []
  var itemUpdates: [ItemMove] = []
  var sections: [StagedSection] = []
}

/// A section of a stage: where it comes from, and which items it has by then.
struct StagedSection: Equatable, Sendable {
  /// Its offset in the old list, if it is there.
  var old: Int?
  /// Its offset in the new list, if it is there.
  var new: Int?
  var items: Items

  enum Items: Equatable, Sendable {
    case allOld
    case allNew
    case merged(MergedList)
  }
}
