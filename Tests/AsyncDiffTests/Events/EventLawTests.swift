import AsyncDiff
import TestSupport
import Testing

@Suite struct EventLawTests {
  private struct Model: Diffable, Equatable, Sendable { let diffIdentifier = 0 }

  static let all: [LawfulSequence] = [
    .init("events(of:)", .events) {
      let channel = NodeEventChannel()
      let source = Shared<NodeEventChannel?>(channel)
      return LawfulSequence.Subject(
        Numbered(channel.events(of: Model.self), \.path.item),
        write: {
          source.value?.send(.didSelect, from: Model(), at: ItemPath(section: 0, item: $0))
        },
        observers: { 0 }, end: { source.value = nil })
    }
  ]

  @Test(
    "S2–S9, S21, F1: events obey the laws of all sequences", arguments: SequenceLaw.allCases, all)
  func laws(_ law: SequenceLaw, _ sequence: LawfulSequence) async throws {
    try await law.check(sequence)
  }
}
