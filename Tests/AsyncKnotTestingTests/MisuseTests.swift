import AsyncKnotTesting
import TestSupport
import Testing

/// What the kit is not to be asked for: it traps, and says which call, which rule and which value.
@Suite struct MisuseTests {
  @Test("A negative count of seeds")
  func seeds() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await explore(seeds: -1) {}
    }
    #expect(result.says("explore(seeds:): needs a count of at least 0; got -1"))
  }

  @Test("A job limit without room for a job")
  func jobLimit() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await explore(jobLimit: 0) {}
    }
    #expect(result.says("explore(jobLimit:): needs room for a job; got 0"))
  }

  @Test("A depth below 1")
  func depth() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await explore(seeds: 1, strategy: .pct(depth: 0, jobs: 10)) {}
    }
    #expect(result.says("pct(depth:): needs a depth of at least 1; got 0"))
  }

  @Test("Time that moves back")
  func time() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await TestClock().advance(by: .seconds(-1))
    }
    #expect(result.says("advance(by:): time does not move back; got -1.0 seconds"))
  }
}
