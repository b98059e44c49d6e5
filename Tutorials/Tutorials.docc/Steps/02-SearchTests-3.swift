import AsyncKnotTesting
import Testing

@testable import SearchScreen

@Test func titlesMatchTheQuery() async {
  await explore {
    let search = Search(
      catalogue: Catalogue { query in
        try await Task.sleep(for: .milliseconds(query.count == 1 ? 300 : 200))
        return ["all about \(query)"]
      })
    watch("titles", of: search) { $0.state.titles }
    await withDiscardingTaskGroup { group in
      for key in "sw" { group.addTask(name: "\(key)") { await search.type(key) } }
    }
    let state = search.state
    #expect(state.titles == ["all about \(state.query)"])
  }
}
