/// A mirror applies messages and detects lost, late and damaged ones.
@Suite struct SnapshotMirrorTests {
  private static let start = SnapshotRevision(epoch: 7, number: 1)

  private static func mirror(of snapshot: Days) -> SnapshotMirror<Day> {
    SnapshotMirror(snapshot, at: start)
  }

  private static func patch(
    from old: Days, to new: Days, _ from: UInt64 = 1, _ to: UInt64 = 2, epoch: UInt64 = 7
  ) -> SnapshotPatch<Day> {
    SnapshotPatch(
      from: SnapshotRevision(epoch: epoch, number: from), to: to,
      stages: old.batches(to: new).map { SnapshotPatch.Stage($0) })
  }

  @Test(
    "D21: applying a patch produces the source's snapshot and batches")
  func random() throws {
    try expectNoComplaint(seed: 21, rounds: 2_000) { random in
      let alphabet = random.bool() ? 6 : 30
      let (old, new) = (random.snapshot(alphabet: alphabet), random.snapshot(alphabet: alphabet))
      var mirror = Self.mirror(of: old)
      let outcome = try mirror.apply(.patch(Self.patch(from: old, to: new)))
      if mirror.snapshot != new { return "leads to a wrong snapshot" }
      return outcome == .updated(old.batches(to: new)) ? nil : "\(outcome)"
    }
  }

  @Test("D21: a mirror does not keep the marks of its snapshot")
  func marks() throws {
    var marked = oneDay([1])
    try marked.reloadItems([1])
    #expect(oneDay([1]).batches(to: Self.mirror(of: marked).snapshot).isEmpty)
  }

  @Test("D21: a gap, a repeat and another epoch are detected and change nothing")
  func order() throws {
    let (a, b, c) = (oneDay([1]), oneDay([1, 2]), oneDay([2]))
    var mirror = SnapshotMirror<Day>()
    let first = Self.patch(from: a, to: b)
    #expect(throws: MirrorError.gap(has: nil, from: first.from)) {
      try mirror.apply(.patch(first))
    }
    mirror = Self.mirror(of: a)
    let gap = Self.patch(from: b, to: c, 2, 3)
    #expect(throws: MirrorError.gap(has: Self.start, from: gap.from)) {
      try mirror.apply(.patch(gap))
    }
    let other = Self.patch(from: a, to: b, epoch: 8)
    #expect(throws: MirrorError.otherEpoch(has: Self.start, came: other.to)) {
      try mirror.apply(.patch(other))
    }
    #expect(mirror.snapshot == a && mirror.revision == Self.start)
    try mirror.apply(.patch(first))
    #expect(try mirror.apply(.patch(first)) == .repeated)
    #expect(try mirror.apply(.snapshot(a, Self.start)) == .repeated)
    #expect(mirror.snapshot == b && mirror.revision == first.to)
    let anew = SnapshotRevision(epoch: 8, number: 1)
    #expect(throws: MirrorError.otherEpoch(has: first.to, came: anew)) {
      try mirror.apply(.snapshot(c, anew, since: Self.start))
    }
    #expect(try mirror.apply(.snapshot(c, anew, since: first.to)) == .replaced)
    #expect(mirror.snapshot == c && mirror.revision == anew)
  }

  @Test("D21: the full snapshot that answers the next request corrects a damaged revision number")
  func damagedNumber() throws {
    var mirror = Self.mirror(of: oneDay([1]))
    let damaged = SnapshotRevision(epoch: 7, number: 2_000_000)
    try mirror.apply(.patch(Self.patch(from: oneDay([1]), to: oneDay([1, 2]), 1, damaged.number)))
    #expect(mirror.revision == damaged)
    let answer = SnapshotMessage.snapshot(oneDay([3]), Self.revision(3), since: mirror.revision)
    #expect(try mirror.apply(answer) == .replaced)
    #expect(mirror.snapshot == oneDay([3]) && mirror.revision == Self.revision(3))
    // The full snapshot answers only the request from the damaged revision, so a repetition has no effect.
    let next = Self.patch(from: oneDay([3]), to: oneDay([4]), 3, 4)
    try mirror.apply(.patch(next))
    #expect(try mirror.apply(answer) == .repeated)
    #expect(mirror.snapshot == oneDay([4]))
  }

  @Test(
    "D21: after a restart, late messages of the old epoch are refused")
  func lateEpoch() throws {
    let (old, new) = (SnapshotRevision(epoch: 7, number: 3), SnapshotRevision(epoch: 8, number: 1))
    let late: [SnapshotMessage<Day>] = [
      .snapshot(oneDay([1]), Self.start), .snapshot(oneDay([1, 2]), old, since: Self.start),
      .snapshot(oneDay([1, 2]), SnapshotRevision(epoch: 7, number: 9), since: old),
      .patch(Self.patch(from: oneDay([1]), to: oneDay([2]), 1, 10)),
    ]
    for message in late {
      var mirror = SnapshotMirror(oneDay([1, 2]), at: old)
      try mirror.apply(.snapshot(oneDay([5]), new, since: old))
      #expect(throws: MirrorError.otherEpoch(has: new, came: message.revision)) {
        try mirror.apply(message)
      }
      #expect(mirror.snapshot == oneDay([5]) && mirror.revision == new)
    }
  }

  @Test("D21: a patch with too many stages is refused before any stage is carried out")
  func tooManyStages() throws {
    let stages = Array(repeating: SnapshotPatch<Day>.Stage(), count: 40_000)
    var mirror = Self.mirror(of: oneDay([1]))
    let patch = SnapshotPatch(from: Self.start, to: 2, stages: stages)
    #expect(
      throws: MirrorError.malformed(
        Self.start, "a patch has at most 3 stages; got 40000")
    ) {
      try mirror.apply(.patch(patch))
    }
    #expect(mirror.snapshot == oneDay([1]))
    let three = SnapshotPatch(from: Self.start, to: 2, stages: Array(stages.prefix(3)))
    #expect(try three.batches(from: oneDay([1])).count == 3)
  }

  @Test("D21: after a patch that does not fit, a mirror requests and accepts a full snapshot")
  func misfit() throws {
    var mirror = Self.mirror(of: oneDay([1]))
    var stage = SnapshotPatch<Day>.Stage()
    stage.itemDeletes = [at(0, 9)]
    let patch = SnapshotPatch(from: Self.start, to: 2, stages: [stage])
    #expect(
      throws: MirrorError.malformed(
        Self.start, "item [0, 9] is out of bounds; the number of items in section 0 is 1")
    ) {
      try mirror.apply(.patch(patch))
    }
    #expect(mirror.snapshot == oneDay([1]) && mirror.revision == nil)
    // The patch starts at the mirror's last revision, but the mirror cannot know whether its rows belong to that revision.
    #expect(throws: MirrorError.gap(has: nil, from: Self.start)) {
      try mirror.apply(.patch(Self.patch(from: oneDay([1]), to: oneDay([1, 2]))))
    }
    #expect(mirror.snapshot == oneDay([1]))
    #expect(try mirror.apply(.snapshot(oneDay([2]), Self.start)) == .replaced)
    #expect(mirror.snapshot == oneDay([2]) && mirror.revision == Self.start)
  }

  @Test(
    "D21: a damaged mirror accepts a new epoch's full snapshot only as the response to its request")
  func misfitAndRestart() throws {
    var mirror = Self.mirror(of: oneDay([1]))
    var stage = SnapshotPatch<Day>.Stage()
    stage.itemDeletes = [at(0, 9)]
    #expect(throws: MirrorError.self) {
      try mirror.apply(.patch(SnapshotPatch(from: Self.start, to: 2, stages: [stage])))
    }
    #expect(mirror.revision == nil, "the mirror asks for a snapshot since nil")
    let anew = SnapshotRevision(epoch: Self.start.epoch + 1, number: 1)
    #expect(throws: MirrorError.otherEpoch(has: Self.start, came: anew)) {
      try mirror.apply(.snapshot(oneDay([3]), anew, since: Self.start))
    }
    #expect(try mirror.apply(.snapshot(oneDay([2]), anew, since: nil)) == .replaced)
    #expect(mirror.snapshot == oneDay([2]) && mirror.revision == anew)
  }

  @Test("D21: a mirror with a revision creates the patch to a new snapshot")
  func next() throws {
    #expect(SnapshotMirror<Day>().patch(to: oneDay([1])) == nil)
    var mirror = Self.mirror(of: oneDay([1]))
    let patch = try #require(mirror.patch(to: oneDay([1, 2])))
    #expect(patch == Self.patch(from: oneDay([1]), to: oneDay([1, 2])))
    try mirror.apply(.patch(patch))
    #expect(mirror.snapshot == oneDay([1, 2]) && mirror.revision == patch.to)
  }

  @Test(
    "D21: a gap is printed with the patch's and the mirror's revision, and a malformed patch with its problem"
  )
  func errors() {
    let (here, came) = (Self.revision(3), Self.revision(5))
    #expect(
      "\(MirrorError.gap(has: here, from: came))"
        == "the patch starts at 7-5, but the mirror has 7-3; ask for the changes since 7-3")
    #expect(
      "\(MirrorError.gap(has: nil, from: came))"
        == "the patch starts at 7-5, but the mirror has no revision; ask for a full snapshot"
    )
    #expect(
      "\(MirrorError.malformed(here, "a patch has at most 3 stages; got 9"))"
        == "the patch does not fit the snapshot 7-3: a patch has at most 3 stages; got 9; ask for a full snapshot"
    )
  }

  private static func revision(_ number: UInt64) -> SnapshotRevision {
    SnapshotRevision(epoch: 7, number: number)
  }

  @Test("D21, D15: a patch to the next snapshot does not contain its marks")
  func marksOfTheNext() throws {
    var marked = oneDay([1, 2])
    try marked.reloadItems([1])
    let mirror = SnapshotMirror(oneDay([1, 2]), at: SnapshotRevision(epoch: 7, number: 1))
    #expect(mirror.patch(to: marked)?.stages.isEmpty == true)
  }
}
