/// Why a mirror refused a message; it is as it was before, and has to ask its source anew.
public enum MirrorError: Error, Hashable, Sendable {
  /// A patch came before any snapshot.
  case nothingToPatch(from: SnapshotRevision)
  /// A patch starts at another snapshot than the mirror has: messages between them are missing.
  case gap(has: SnapshotRevision, from: SnapshotRevision)
  /// A patch is of another epoch: of another source, or of the same one after it was started anew.
  case otherEpoch(has: SnapshotRevision, from: SnapshotRevision)
  /// A patch does not fit the snapshot that it says it starts at.
  case malformed(has: SnapshotRevision, PatchError)

  /// What to ask for patches since; nil to ask for a full snapshot.
  public var revisionToAskSince: SnapshotRevision? {
    switch self {
    case .gap(let has, _), .otherEpoch(let has, _): has
    case .nothingToPatch, .malformed: nil
    }
  }
}

extension MirrorError: CustomStringConvertible {
  /// The revisions and the rule.
  public var description: String {
    switch self {
    case .nothingToPatch(let from): "a patch from \(from), but there is no snapshot yet"
    case .gap(let has, let from): "a patch from \(from), but \(has) is here: something is missing"
    case .otherEpoch(let has, let from):
      "a patch from \(from), but \(has) is here: the epoch is another"
    case .malformed(let has, let error): "a patch that does not fit \(has): \(error)"
    }
  }
}
