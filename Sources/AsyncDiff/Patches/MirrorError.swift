/// Why a mirror refused a message; it shows what it did before.
///
/// In any case ask for patches since the mirror's revision.
public enum MirrorError: Error, Hashable, Sendable {
  /// A patch starts at another snapshot than the mirror has: messages between them are missing.
  ///
  /// A mirror that has nothing yet has no revision.
  case gap(has: SnapshotRevision?, from: SnapshotRevision)
  /// A message is of another epoch and answers no question of this mirror: it comes from another source, or
  /// is a late one of the same source before or after it was started anew.
  case otherEpoch(has: SnapshotRevision, came: SnapshotRevision)
  /// A patch contradicts itself or the snapshot of this revision, at which it says it starts; the text names
  /// the rule and the value.
  ///
  /// Either of them is damaged: the mirror has forgotten its revision, and takes the next full snapshot.
  case malformed(SnapshotRevision, String)
}

extension MirrorError: CustomStringConvertible {
  /// The revisions and the rule.
  public var description: String {
    switch self {
    case .gap(nil, let from): "a patch from \(from), but there is no snapshot yet"
    case .gap(let has?, let from): "a patch from \(from), but \(has) is here: something is missing"
    case .otherEpoch(let has, let came): "\(came) came, but \(has) is here: the epoch is another"
    case .malformed(let has, let problem): "a patch that does not fit \(has): \(problem)"
    }
  }
}
