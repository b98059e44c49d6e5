import AsyncDiff
import AsyncKnotTesting
import Testing

/// What a mirror makes of messages, also of those that a network has damaged.
@Suite struct SnapshotMirrorTests {
  private static let start = SnapshotRevision(epoch: 7, number: 1)

  private static func mirror(of snapshot: Days) throws -> SnapshotMirror<Day> {
    var mirror = SnapshotMirror<Day>()
    try mirror.apply(.snapshot(snapshot, start))
    return mirror
  }

  private static func patch(
    from old: Days, to new: Days, _ from: UInt64 = 1, _ to: UInt64 = 2, epoch: UInt64 = 7
  ) -> SnapshotPatch<Day> {
    SnapshotPatch(
      from: SnapshotRevision(epoch: epoch, number: from), to: to,
      stages: old.batches(to: new).map { PatchStage($0) })
  }

  @Test(
    "D21: a mirror that applies a patch has what is shown, and its batches are those of the source")
  func random() throws {
    var random = SeededGenerator(seed: 21)
    var complaint: String?
    for round in 0..<2_000 * thoroughness where complaint == nil {
      let alphabet = round % 2 == 0 ? 6 : 30
      let old = random.snapshot(alphabet: alphabet)
      let new = random.snapshot(alphabet: alphabet)
      var mirror = try Self.mirror(of: old)
      let outcome = try mirror.apply(.patch(Self.patch(from: old, to: new)))
      if mirror.snapshot != new { complaint = "round \(round): leads elsewhere" }
      if outcome != .updated(old.batches(to: new)) { complaint = "round \(round): \(outcome)" }
    }
    #expect(complaint == nil)
  }

  @Test("D21: a gap, a repeat and another epoch are found, and change nothing")
  func order() throws {
    let (a, b, c) = (oneDay([1]), oneDay([1, 2]), oneDay([2]))
    var mirror = SnapshotMirror<Day>()
    let first = Self.patch(from: a, to: b)
    #expect(throws: MirrorError.nothingToPatch(from: first.from)) {
      try mirror.apply(.patch(first))
    }
    mirror = try Self.mirror(of: a)
    let gap = Self.patch(from: b, to: c, 2, 3)
    #expect(throws: MirrorError.gap(has: Self.start, from: gap.from)) {
      try mirror.apply(.patch(gap))
    }
    let other = Self.patch(from: a, to: b, epoch: 8)
    #expect(throws: MirrorError.otherEpoch(has: Self.start, from: other.from)) {
      try mirror.apply(.patch(other))
    }
    #expect(mirror.snapshot == a && mirror.revision == Self.start)
    try mirror.apply(.patch(first))
    #expect(try mirror.apply(.patch(first)) == .repeated)
    #expect(try mirror.apply(.snapshot(a, Self.start)) == .repeated)
    #expect(mirror.snapshot == b && mirror.revision == first.to)
    let anew = SnapshotRevision(epoch: 8, number: 1)
    #expect(try mirror.apply(.snapshot(c, anew)) == .replaced)
    #expect(mirror.snapshot == c && mirror.revision == anew)
  }

  @Test("D21: an error says what to ask for, and names what is here and what came")
  func errors() {
    let here = SnapshotRevision(epoch: 7, number: 3)
    let came = SnapshotRevision(epoch: 7, number: 5)
    let gap = MirrorError.gap(has: here, from: came)
    #expect(gap.revisionToAskSince == here)
    #expect("\(gap)" == "a patch from 7-5, but 7-3 is here: something is missing")
    let error = PatchError(stage: 1, problem: .noItem(at(0, 9), count: 2))
    let malformed = MirrorError.malformed(has: here, error)
    #expect(malformed.revisionToAskSince == nil)
    #expect(
      "\(malformed)" == """
        a patch that does not fit 7-3: stage 1 of the patch: item [0, 9] is out of bounds; \
        the section has 2 items
        """)
    #expect(MirrorError.otherEpoch(has: here, from: came).revisionToAskSince == here)
    #expect(MirrorError.nothingToPatch(from: came).revisionToAskSince == nil)
  }
}
