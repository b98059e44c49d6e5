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

  @Test("Counts of an exhaustive search, and of one of cancellations, that leave no run")
  func searches() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await exploreAll(limit: 0) {}
    }
    #expect(result.says("exploreAll(limit:): needs room for a run; got 0"))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await exploreAll(preemptions: -1) {}
    }
    #expect(result.says("exploreAll(preemptions:): needs a count of at least 0; got -1"))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await exploreCancelling(limit: -1) {}
    }
    #expect(result.says("exploreCancelling(limit:): needs room for a run; got -1"))
  }

  @Test("Counts of a check that leave no program")
  func linearizability() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await checkLinearizable(model: LinearizabilityTests.Model(), length: 0) { _ in
        .value
      } subject: {
      } perform: { _, _ in
        0
      }
    }
    #expect(result.says("checkLinearizable(length:): needs a count of at least 1; got 0"))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await checkLinearizable(model: LinearizabilityTests.Model(), threads: 5, length: 13) { _ in
        .value
      } subject: {
      } perform: { _, _ in
        0
      }
    }
    #expect(result.says("checkLinearizable: at most 64 operations; got 5 × 13"))
  }

  @Test("Negative lengths of a random array")
  func lengths() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var generator = SeededGenerator(seed: 0)
      _ = generator.array(count: -1...2) { $0.next() }
    }
    #expect(result.says("array(count:of:): needs lengths of at least 0; got -1...2"))
  }

  @Test("Time that moves back")
  func time() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await TestClock().advance(by: .seconds(-1))
    }
    #expect(result.says("advance(by:): time does not move back; got -1.0 seconds"))
  }
}
