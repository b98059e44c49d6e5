import Testing

@testable import WebServer

@Suite struct LimitsTests {
  @Test(
    "by default, the limit of connections from one address is 3/4 of the limit of pages, but at least 8"
  )
  func ofOne() {
    let limits = [1, 8, 20, 100].map { Limits(pages: $0) }
    #expect(limits.map(\.connections) == [18, 32, 56, 216])
    #expect(limits.map(\.connectionsOfOne) == [8, 8, 15, 75])
    #expect(limits.allSatisfy { $0.connectionsOfOne < $0.connections })
  }

  @Test("one address can use all connections if `ofOne` allows it, as behind a proxy")
  func proxy() {
    #expect(Limits(pages: 20, ofOne: 56).connectionsOfOne == 56)
  }
}
