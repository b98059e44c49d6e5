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
    let changes = Recorder(search.transitions)
    await withDiscardingTaskGroup { group in
      for (key, pause) in zip("sw", [0, 400]) {
        group.addTask(name: "\(key)") {
          try? await Task.sleep(for: .milliseconds(pause))
          search.send(.type(key))
        }
      }
    }
    try? await Task.sleep(for: .seconds(5))
    let state = search.state
    #expect(state.titles == ["all about \(state.query)"])
    for change in changes.elements where change.after.titles != change.before.titles {
      #expect(change.after.titles == ["all about \(change.after.query)"])
    }
  }
}

@Test func searchStartsAfterAPauseInTyping() async {
  await explore {
    let clock = TestClock()
    let probe = OpticleProbe(Search(catalogue: Catalogue { ["all about \($0)"] }, clock: clock))
    probe.send(.type("s"))
    await probe.expect { $0.query = "s" }
    probe.send(.type("w"))
    await probe.expect { $0.query = "sw" }
    await probe.expect { $0.titles = ["all about sw"] }
    #expect(clock.now.offset == .milliseconds(300))
    await probe.finish()
  }
}

struct Offline: Error {}

@Test func failingServiceIsCalledThreeTimes() async {
  await explore {
    let clock = TestClock()
    let catalogue = Catalogue { _ in throw Offline() }
    let probe = OpticleProbe(Search(catalogue: catalogue, clock: clock))
    probe.send(.find)
    await probe.expect { $0.message = "The search failed: Offline()" }
    // 300 ms without a key, then 100 and 200 ms between the attempts.
    #expect(clock.now.offset == .milliseconds(600))
    await probe.finish()
  }
}

@Test func editReplacesTheQuery() async {
  await explore {
    let probe = OpticleProbe(Search(catalogue: Catalogue { ["all about \($0)"] }))
    probe.send(.edit("swift"))
    await probe.expect { $0.query = "swift" }
    await probe.expect { $0.titles = ["all about swift"] }
    await probe.finish()
  }
}
