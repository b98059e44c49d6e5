import AsyncKnotTesting
import Testing

@testable import SearchScreen

@Test func titlesMatchTheQuery() async {
  let search = Search(catalogue: Catalogue { query in ["all about \(query)"] })
  for key in "sw" { await search.type(key) }
  #expect(search.state.titles == ["all about sw"])
}
