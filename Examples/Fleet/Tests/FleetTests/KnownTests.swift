import AsyncDiff
import Testing

@testable import Fleet

@Suite struct KnownTests {
  private func feed(_ name: String, _ number: UInt64, load: Int = 0) -> Feed {
    Feed(name: name, revision: SnapshotRevision(epoch: 1, number: number), load: load) { _, _ in
      nil
    }
  }

  /// Returns the feeds of the list of machines and of 200 machines, all at the same revision.
  private func fleet(_ number: UInt64) -> [Feed] {
    [feed(FleetList.name, number)] + (100..<300).map { feed("m\($0)", number, load: $0) }
  }

  private func revisions(of feeds: some Sequence<Feed>) -> [String: SnapshotRevision] {
    Dictionary(uniqueKeysWithValues: feeds.map { ($0.name, $0.revision) })
  }

  /// Returns the names of the lists in each step, until the page has all lists.
  private func names(from known: Known, to feeds: [Feed]) -> [[String]] {
    var (known, steps) = (known, [[String]]())
    while true {
      let (next, hasMore) = known.step(to: feeds)
      guard let last = next.last else { return steps }
      steps.append(next.map(\.name))
      known = known.after(revisions(of: next), last: last.name)
      #expect(hasMore == !known.hasAll(of: feeds))
    }
  }

  @Test(
    "an empty page gets the list of machines, then the lists that it requested, and then all others"
  )
  func wanted() {
    let wish = Known.Wish(first: ["m250", "gone", "m120"], order: .load)
    let steps = names(from: Known(wish: wish), to: fleet(1))
    #expect(steps[0].prefix(5) == ["*", "m250", "m120", "m299", "m298"])
    #expect(steps.allSatisfy { $0.count <= Known.most })
    #expect(steps.joined().count == 201 && Set(steps.joined()).count == 201)
    #expect(names(from: Known(), to: fleet(1))[0].prefix(3) == ["*", "m100", "m101"])
  }

  @Test("sorting lists by load is correct even for the smallest and largest integers")
  func ends() {
    let loads = ["a": Int.min, "b": .max, "c": 0, "d": .min + 1]
    let feeds = loads.map { feed($0.key, 1, load: $0.value) }
    #expect(
      names(from: Known(wish: Known.Wish(order: .load)), to: feeds) == [["b", "c", "d", "a"]])
  }

  @Test("a page that reads more slowly than lists change gets all lists in turn")
  func turns() {
    var known = Known(revisions(of: fleet(1)))
    var got: [String: Int] = [:]
    // All lists change before each step, so the page never has the newest revision of every list.
    for number in 2..<22 {
      let (next, hasMore) = known.step(to: fleet(UInt64(number)))
      #expect(hasMore)
      for feed in next { got[feed.name, default: 0] += 1 }
      known = known.after(revisions(of: next), last: next.last?.name ?? "")
    }
    #expect(got.removeValue(forKey: FleetList.name) == 20)
    #expect(got.count == 200 && got.values.allSatisfy { (6...7).contains($0) })
  }

  @Test("a page that is ahead of a gateway gets nothing until the gateway has overtaken it")
  func ahead() {
    let known = Known(["m1": SnapshotRevision(epoch: 1, number: 5)])
    #expect(known.step(to: [feed("m1", 4)]).feeds.isEmpty)
    #expect(known.step(to: [feed("m1", 5)]).feeds.isEmpty)
    #expect(known.step(to: [feed("m1", 6)]).feeds.map(\.name) == ["m1"])
  }

  @Test("a page keeps lists that the gateway has not read yet, and drops lists of deleted machines")
  func kept() {
    let known = Known(revisions(of: [feed("m1", 5), feed("m2", 5), feed("m3", 5)]))
    let next = known.after(
      revisions(of: [feed(FleetList.name, 1), feed("m1", 6)]), last: "m1", machines: ["m1", "m2"])
    #expect(next.revisions == revisions(of: [feed("*", 1), feed("m1", 6), feed("m2", 5)]))
    #expect(
      known.after([:], last: "").revisions == known.revisions,
      "a page keeps all lists if the logs were never reached")
  }
}
