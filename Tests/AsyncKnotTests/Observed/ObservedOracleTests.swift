import Observation

/// Compares `Observed` with an oracle, which compares the values in the old and the new state.
@MainActor @Suite struct ObservedOracleTests {
  /// A read of the state, and the value that was read; `nil` for a value that cannot be compared.
  private struct Reader: Sendable {
    let read: @MainActor @Sendable (Observed<Profile>) -> Void
    let value: @Sendable (Profile) -> AnyHashable?
  }

  private static let readers = [
    Reader(read: { _ = $0.title }, value: { $0.title }),
    Reader(read: { _ = $0.count }, value: { $0.count }),
    Reader(read: { _ = $0.user.name }, value: { [$0.user.name, "\($0.user.age)"] }),
    Reader(read: { _ = $0[\.user.name] }, value: { $0.user.name }),
    Reader(read: { _ = $0[\.user.age] }, value: { $0.user.age }),
    Reader(read: { _ = $0.friend }, value: { [$0.friend?.name, $0.friend.map { "\($0.age)" }] }),
    Reader(read: { _ = $0[\.friend?.age] }, value: { [$0.friend?.age] }),
    Reader(read: { _ = $0.rows.first }, value: { $0.rows }),
    Reader(read: { _ = $0[\.rows.count] }, value: { $0.rows.count }),
    Reader(read: { _ = $0[\.rows, at: 0] }, value: { [$0.rows.first] }),
    Reader(read: { _ = $0[\.rows, at: 2] }, value: { [$0.rows.dropFirst(2).first] }),
    Reader(read: { _ = $0[\.names["a"]] }, value: { [$0.names["a"]] }),
    Reader(read: { _ = $0.initial }, value: { [$0.initial] }),
    Reader(read: { _ = $0.opaque.number }, value: { _ in nil }),
    Reader(read: { _ = $0.state }, value: { _ in nil }),
  ]

  private static func change(_ state: inout Profile, _ random: inout SeededGenerator) {
    let value = Int.random(in: 0..<3, using: &random)
    switch Int.random(in: 0..<9, using: &random) {
    case 0: state.title = "\(value)"
    case 1: state.title = "\(value)x"
    case 2: state.count = value
    case 3: state.user.name = "\(value)"
    case 4: state.user.age = value
    case 5: state.friend = value == 0 ? nil : Profile.User(name: "f", age: value)
    case 6: state.rows = Array(repeating: value, count: Int.random(in: 0..<4, using: &random))
    case 7: state.names["a"] = value == 0 ? nil : "\(value)"
    default: break
    }
  }

  private static func isInvalidated(_ readers: [Reader], _ old: Profile, _ new: Profile) -> Bool {
    readers.contains { reader in
      guard
        let (before, after) = reader.value(old).flatMap({ old in
          reader.value(new).map { (old, $0) }
        })
      else { return true }
      return before != after
    }
  }

  @Test(
    "S19: a change invalidates exactly the tracked reads whose value changed or cannot be compared",
    arguments: 0..<40)
  func invalidationsEqualTheOracle(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let view = ProfileView()
    let profile = Observed(view)
    var trackings: [(readers: [Reader], invalidations: Invalidations)] = []
    for _ in 0..<200 {
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        let readers = (0..<Int.random(in: 1...3, using: &random)).map { _ in
          Self.readers[Int.random(in: Self.readers.indices, using: &random)]
        }
        let invalidations = Invalidations()
        invalidations.track { for reader in readers { reader.read(profile) } }
        trackings.append((readers, invalidations))
      }
      var new = view.state
      let old = new
      Self.change(&new, &random)
      view.sink(new)
      let seen = trackings.map(\.invalidations.count)
      let expected = trackings.map { Self.isInvalidated($0.readers, old, new) ? 1 : 0 }
      #expect(seen == expected)
      trackings.removeAll { $0.invalidations.count > 0 }
    }
    #expect(profile.state.title == view.state.title)
  }
}
