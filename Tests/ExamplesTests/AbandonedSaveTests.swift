import AsyncKnot
import AsyncKnotTesting
import AsyncOptical
import Testing

@testable import History

@Suite struct AbandonedSaveTests {
  private struct SlowService: HistoryService {
    let refuses: Bool
    func page(named name: String) async throws -> Page { Page(entries: [], next: nil) }
    func save(_ entry: Entry) async throws {
      try await Task.sleep(for: .seconds(2))
      if refuses { throw ServiceFailure("full") }
    }
  }

  @Test(
    "a save that was abandoned neither ends a later edit nor begins one", arguments: [false, true])
  func abandonedSave(refuses: Bool) async {
    await explore(seeds: 20) {
      let list = HistoryList(service: SlowService(refuses: refuses), timeout: .seconds(60))
      let entry = Entry(id: 1, title: "C", author: "A", year: 1972)
      let editor = EntryEditor(entry, in: list, timeout: .seconds(60))
      for request in [EntryEditor.Request.edit, .type("+")] { await editor.dispatch(request) }
      editor.send(.save)
      for await state in editor.states where state.phase == .saving { break }
      await editor.dispatch(.abandon)
      if !refuses {
        for request in [EntryEditor.Request.edit, .type("!")] { await editor.dispatch(request) }
      }
      let before = editor.state
      try await Task.sleep(for: .seconds(5))
      #expect(editor.state.phase == before.phase)
      #expect(editor.state.draft == before.draft)
    }
  }
}
