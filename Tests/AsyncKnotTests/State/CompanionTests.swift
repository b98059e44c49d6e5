private final class Companion: Sendable {}
private final class OtherCompanion: Sendable {}

@Suite struct CompanionTests {
  @Test(
    "K8: a holder has one companion of each type, even if many threads race for the first access")
  func firstAccess() async throws {
    for _ in 0..<3_000 {
      let knot = Knot(0)
      let found = await withTaskGroup(of: ObjectIdentifier.self) { group in
        for _ in 0..<4 {
          group.addTask { knot.withCompanion({ Companion() }) { ObjectIdentifier($0) } }
          group.addTask { knot.withCompanion({ OtherCompanion() }) { ObjectIdentifier($0) } }
        }
        return await group.reduce(into: Set()) { $0.insert($1) }
      }
      try #require(found.count == 2, "\(found.count) companions for two types")
    }
  }
}
