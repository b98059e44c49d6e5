import AsyncDiff
import AsyncDiffTesting
import AsyncKnotTesting
import TestSupport
import Testing

/// What a mirror makes of patches that nobody in his right mind would send.
@Suite struct MalformedPatchTests {
  private static let shown = Days(sections: [
    Day("a", [Article(1), Article(2)]), Day("b", [Article(3)]), Day("c", []),
  ])

  /// Each a stage that breaks one rule for ``shown``.
  private static let broken: [(change: @Sendable (inout PatchStage<Day>) -> Void, PatchError)] = [
    ({ $0.sectionDeletes = [3] }, .noSection(3, count: 3)),
    ({ $0.sectionDeletes = [-1] }, .noSection(-1, count: 3)),
    ({ $0.sectionDeletes = [1, 1] }, .sectionTwice(1)),
    ({ $0.sectionDeletes = [0, 1, 2, 0] }, .sectionTwice(0)),
    ({ $0.sectionMoves = [.init(from: 0, to: 3)] }, .noSection(3, count: 3)),
    ({ $0.sectionMoves = [.init(from: 0, to: 1), .init(from: 0, to: 2)] }, .sectionTwice(0)),
    ({ $0.sectionMoves = [.init(from: 0, to: 1), .init(from: 2, to: 1)] }, .sectionTwice(1)),
    ({ $0.sectionInserts = [.init(at: 4, value: shown.sections[0])] }, .noSection(4, count: 4)),
    (
      { $0.sectionInserts = [.init(at: .max, value: shown.sections[0])] },
      .noSection(.max, count: 4)
    ),
    ({ $0.sectionUpdates = [.init(at: 3, value: "")] }, .noSection(3, count: 3)),
    (
      { $0.sectionUpdates = [.init(at: 1, value: ""), .init(at: 1, value: "x")] }, .sectionTwice(1)
    ),
    (
      {
        $0.sectionInserts = [.init(at: 1, value: shown.sections[0])]
        $0.sectionUpdates = [.init(at: 1, value: "")]
      }, .newSectionUpdated(1)
    ),
    ({ $0.itemDeletes = [at(3, 0)] }, .noSection(3, count: 3)),
    ({ $0.itemDeletes = [at(.min, 0)] }, .noSection(.min, count: 3)),
    ({ $0.itemDeletes = [at(0, 2)] }, .noItem(at(0, 2), count: 2)),
    ({ $0.itemDeletes = [at(0, 0), at(0, 0)] }, .itemTwice(at(0, 0))),
    (
      {
        $0.itemDeletes = [at(0, 0)]
        $0.itemMoves = [.init(from: at(0, 0), to: at(0, 0))]
      }, .itemTwice(at(0, 0))
    ),
    ({ $0.itemMoves = [.init(from: at(0, 0), to: at(0, 2))] }, .noItem(at(0, 2), count: 2)),
    ({ $0.itemMoves = [.init(from: at(0, 0), to: at(0, -1))] }, .noItem(at(0, -1), count: 2)),
    ({ $0.itemMoves = [.init(from: at(2, 0), to: at(0, 0))] }, .noItem(at(2, 0), count: 0)),
    (
      {
        $0.itemMoves = [.init(from: at(0, 0), to: at(1, 0)), .init(from: at(0, 1), to: at(1, 0))]
      },
      .itemTwice(at(1, 0))
    ),
    ({ $0.itemInserts = [.init(at: at(0, 3), value: Article(9))] }, .noItem(at(0, 3), count: 3)),
    ({ $0.itemInserts = [.init(at: at(9, 0), value: Article(9))] }, .noSection(9, count: 3)),
    (
      {
        $0.sectionDeletes = [0]
        $0.itemDeletes = [at(0, 0)]
      }, .itemOfPassingSection(at(0, 0))
    ),
    (
      {
        $0.sectionMoves = [.init(from: 0, to: 2)]
        $0.itemInserts = [.init(at: at(2, 0), value: Article(9))]
      }, .itemOfPassingSection(at(2, 0))
    ),
    ({ $0.itemUpdates = [.init(at: at(0, 2), value: Article(1))] }, .noItem(at(0, 2), count: 2)),
    ({ $0.itemUpdates = [.init(at: at(3, 0), value: Article(1))] }, .noSection(3, count: 3)),
    ({ $0.itemUpdates = [.init(at: at(0, 0), value: Article(2))] }, .otherItem(at(0, 0))),
    (
      {
        $0.itemUpdates = [
          .init(at: at(0, 0), value: Article(1)), .init(at: at(0, 0), value: Article(1)),
        ]
      },
      .itemTwice(at(0, 0))
    ),
    (
      {
        $0.itemInserts = [.init(at: at(0, 0), value: Article(9))]
        $0.itemUpdates = [.init(at: at(0, 0), value: Article(9))]
      }, .newItemUpdated(at(0, 0))
    ),
  ]

  @Test(
    "D21: a patch that breaks a rule is refused with the rule and the value, and changes nothing")
  func rules() throws {
    let has = SnapshotRevision(epoch: 1, number: 1)
    for (change, problem) in Self.broken {
      var mirror = SnapshotMirror(Self.shown, at: has)
      var sound = PatchStage<Day>()
      sound.itemUpdates = [.init(at: at(1, 0), value: Article(3, "changed"))]
      var stage = PatchStage<Day>()
      change(&stage)
      let patch = SnapshotPatch(from: has, to: 2, stages: [sound, stage])
      #expect(
        throws: MirrorError.malformed(has: has, problem),
        "\(problem)"
      ) {
        try mirror.apply(.patch(patch))
      }
      #expect(mirror.snapshot == Self.shown)
    }
  }

  @Test("D21: of random patches each is refused, or is one that a strict surface can show")
  func random() throws {
    var random = SeededGenerator(seed: 1_021)
    var accepted = 0
    var refused = 0
    var complaint: String?
    let rounds = isSanitized ? 2_000 : 20_000 * thoroughness
    for round in 0..<rounds where complaint == nil {
      let old = random.snapshot(alphabet: 9)
      var stages = old.batches(to: random.snapshot(alphabet: 9)).map { PatchStage($0) }
      for stage in stages.indices { random.damage(&stages[stage]) }
      let has = SnapshotRevision(epoch: 1, number: 1)
      var mirror = SnapshotMirror(old, at: has)
      do throws(MirrorError) {
        let patch = SnapshotPatch(from: has, to: 2, stages: stages)
        guard case .updated(let batches) = try mirror.apply(.patch(patch)) else { continue }
        accepted += 1
        var rows = StrictRows(old)
        for batch in batches {
          try? rows.perform(batch)
        }
        if !rows.matches(mirror.snapshot) { complaint = "round \(round): \(patch)" }
      } catch {
        refused += 1
        if mirror.snapshot != old {
          complaint = "round \(round): changed"
        }
      }
    }
    #expect(complaint == nil)
    #expect(
      accepted > rounds / 20 && refused > rounds / 20, "\(accepted) accepted, \(refused) refused")
  }
}

extension SeededGenerator {
  /// Changes a few numbers of a stage, or none.
  fileprivate mutating func damage(_ stage: inout PatchStage<Day>) {
    for _ in 0..<integer(in: 0...2) {
      let (section, item) = (strange(), strange())
      switch integer(in: 0...8) {
      case 0: stage.sectionDeletes.append(section)
      case 1: stage.sectionMoves.append(.init(from: section, to: item))
      case 2:
        let new = ShownSection(Day("new", ids: [77]))
        stage.sectionInserts.append(.init(at: section, value: new))
      case 3: stage.sectionUpdates.append(.init(at: section, value: "?"))
      case 4: stage.itemDeletes.append(at(section, item))
      case 5: stage.itemMoves.append(.init(from: at(section, item), to: at(strange(), strange())))
      case 6: stage.itemInserts.append(.init(at: at(section, item), value: Article(88)))
      case 7:
        stage.itemUpdates.append(.init(at: at(section, item), value: Article(integer(in: 0...8))))
      default:
        if !stage.itemInserts.isEmpty { stage.itemInserts.removeLast() }
        if !stage.itemDeletes.isEmpty { stage.itemDeletes.removeFirst() }
      }
    }
  }

  /// An offset that may be one, mostly a small one.
  private mutating func strange() -> Int {
    switch integer(in: 0...19) {
    case 0: .max
    case 1: .min
    case 2: -1
    default: integer(in: 0...4)
    }
  }
}
