/// A mirror refuses patches that break a rule.
@Suite struct MalformedPatchTests {
  private static let shown = Days(sections: [
    Day("a", [Article(1), Article(2)]), Day("b", [Article(3)]), Day("c", []),
  ])

  /// Changes that make a stage break a rule when it is applied to ``shown``, each with the expected description of the error.
  private static let broken:
    [(change: @Sendable (inout SnapshotPatch<Day>.Stage) -> Void, problem: String)] = [
      ({ $0.sectionDeletes = [3] }, "section 3 is out of bounds; the number of sections is 3"),
      ({ $0.sectionDeletes = [-1] }, "section -1 is out of bounds; the number of sections is 3"),
      ({ $0.sectionDeletes = [1, 1] }, "section 1 is named twice"),
      ({ $0.sectionDeletes = [0, 1, 2, 0] }, "section 0 is named twice"),
      (
        { $0.sectionMoves = [.init(from: 0, to: 3)] },
        "section 3 is out of bounds; the number of sections is 3"
      ),
      (
        { $0.sectionMoves = [.init(from: 0, to: 1), .init(from: 0, to: 2)] },
        "section 0 is named twice"
      ),
      (
        { $0.sectionMoves = [.init(from: 0, to: 1), .init(from: 2, to: 1)] },
        "section 1 is named twice"
      ),
      (
        { $0.sectionInserts = [.init(at: 4, value: shown.sections[0])] },
        "section 4 is out of bounds; the number of sections is 4"
      ),
      (
        { $0.sectionInserts = [.init(at: .max, value: shown.sections[0])] },
        "section \(Int.max) is out of bounds; the number of sections is 4"
      ),
      (
        { $0.sectionUpdates = [.init(at: 3, value: "")] },
        "section 3 is out of bounds; the number of sections is 3"
      ),
      (
        { $0.sectionUpdates = [.init(at: 1, value: ""), .init(at: 1, value: "x")] },
        "section 1 is named twice"
      ),
      (
        {
          $0.sectionInserts = [.init(at: 1, value: shown.sections[0])]
          $0.sectionUpdates = [.init(at: 1, value: "")]
        }, "section 1 is updated, but this stage inserts it"
      ),
      (
        { $0.itemDeletes = [at(3, 0)] }, "item [3, 0] is out of bounds; the number of sections is 3"
      ),
      (
        { $0.itemDeletes = [at(-9, 0)] },
        "item [-9, 0] is out of bounds; the number of sections is 3"
      ),
      (
        { $0.itemDeletes = [at(0, 2)] },
        "item [0, 2] is out of bounds; the number of items in section 0 is 2"
      ),
      ({ $0.itemDeletes = [at(0, 0), at(0, 0)] }, "section 0, item 0 is named twice"),
      (
        {
          $0.itemDeletes = [at(0, 0)]
          $0.itemMoves = [.init(from: at(0, 0), to: at(0, 0))]
        }, "section 0, item 0 is named twice"
      ),
      (
        { $0.itemMoves = [.init(from: at(0, 0), to: at(0, 2))] },
        "section 0, item 2 is out of bounds; the number of items is 2"
      ),
      (
        { $0.itemMoves = [.init(from: at(0, 0), to: at(0, -1))] },
        "section 0, item -1 is out of bounds; the number of items is 2"
      ),
      (
        { $0.itemMoves = [.init(from: at(2, 0), to: at(0, 0))] },
        "item [2, 0] is out of bounds; the number of items in section 2 is 0"
      ),
      (
        {
          $0.itemMoves = [.init(from: at(0, 0), to: at(1, 0)), .init(from: at(0, 1), to: at(1, 0))]
        },
        "section 1, item 0 is named twice"
      ),
      (
        { $0.itemInserts = [.init(at: at(0, 3), value: Article(9))] },
        "section 0, item 3 is out of bounds; the number of items is 3"
      ),
      (
        { $0.itemInserts = [.init(at: at(9, 0), value: Article(9))] },
        "section 9 is out of bounds; the number of sections is 3"
      ),
      (
        {
          $0.sectionDeletes = [0]
          $0.itemDeletes = [at(0, 0)]
        }, "item [0, 0] is in a section that this stage also deletes, inserts or moves"
      ),
      (
        {
          $0.sectionMoves = [.init(from: 0, to: 2)]
          $0.itemInserts = [.init(at: at(2, 0), value: Article(9))]
        }, "item [2, 0] is in a section that this stage also deletes, inserts or moves"
      ),
      (
        { $0.itemUpdates = [.init(at: at(0, 2), value: Article(1))] },
        "item [0, 2] is out of bounds; the number of items in section 0 is 2"
      ),
      (
        { $0.itemUpdates = [.init(at: at(3, 0), value: Article(1))] },
        "item [3, 0] is out of bounds; the number of sections is 3"
      ),
      (
        { $0.itemUpdates = [.init(at: at(0, 0), value: Article(2))] },
        "the update of item [0, 0] has the identifier “2”, but the item has the identifier “1”"
      ),
      (
        {
          $0.itemUpdates = [
            .init(at: at(0, 0), value: Article(1)), .init(at: at(0, 0), value: Article(1)),
          ]
        },
        "item [0, 0] is named twice"
      ),
      (
        {
          $0.itemInserts = [.init(at: at(0, 0), value: Article(9))]
          $0.itemUpdates = [.init(at: at(0, 0), value: Article(9))]
        }, "item [0, 0] is updated, but this stage inserts it"
      ),
    ]

  @Test(
    "D21: applying a patch that breaks a rule throws an error with the rule and the value, and keeps the snapshot"
  )
  func rules() throws {
    let has = SnapshotRevision(epoch: 1, number: 1)
    for (change, problem) in Self.broken {
      var mirror = SnapshotMirror(Self.shown, at: has)
      var sound = SnapshotPatch<Day>.Stage()
      sound.itemUpdates = [.init(at: at(1, 0), value: Article(3, "changed"))]
      var stage = SnapshotPatch<Day>.Stage()
      change(&stage)
      let patch = SnapshotPatch(from: has, to: 2, stages: [sound, stage])
      #expect(throws: MirrorError.malformed(has, problem)) {
        try mirror.apply(.patch(patch))
      }
      #expect(mirror.snapshot == Self.shown)
    }
  }

  @Test("D21: each random patch is refused or can be shown by a strict surface")
  func random() throws {
    var (accepted, refused) = (0, 0)
    let rounds = isSanitized ? 2_000 / thoroughness : 8_000
    expectNoComplaint(seed: 1_021, rounds: rounds) { random in
      let old = random.snapshot(alphabet: 9)
      var stages = old.batches(to: random.snapshot(alphabet: 9)).map { SnapshotPatch.Stage($0) }
      for stage in stages.indices { random.damage(&stages[stage]) }
      let has = SnapshotRevision(epoch: 1, number: 1)
      var mirror = SnapshotMirror(old, at: has)
      do throws(MirrorError) {
        let patch = SnapshotPatch(from: has, to: 2, stages: stages)
        guard case .updated(let batches) = try mirror.apply(.patch(patch)) else { return nil }
        accepted += 1
        var rows = StrictRows(old)
        for batch in batches { try? rows.perform(batch) }
        return rows.matches(mirror.snapshot) ? nil : "\(patch)"
      } catch {
        refused += 1
        return mirror.snapshot == old ? nil : "a refused patch changed the mirror"
      }
    }
    #expect(
      accepted > rounds / 20 && refused > rounds / 20, "\(accepted) accepted, \(refused) refused")
  }
}

extension SeededGenerator {
  /// Adds up to two random operations to a stage, or removes a few of its operations.
  fileprivate mutating func damage(_ stage: inout SnapshotPatch<Day>.Stage) {
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

  /// An offset that may be invalid, usually a small number.
  private mutating func strange() -> Int {
    switch integer(in: 0...19) {
    case 0: .max
    case 1: .min
    case 2: -1
    default: integer(in: 0...4)
    }
  }
}
