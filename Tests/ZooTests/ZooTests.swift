import ExploreTesting
import TestSupport
import Testing
import Zoo

struct Escaped: Error {}

/// Bugs in ordinary code that was not written for the test kit.
@Suite struct ZooTests {
  /// Debug builds are slow, so only a release build runs all seeds.
  #if DEBUG
    private static let seeds = 500
  #else
    private static let seeds = 10_000
  #endif

  @Test("X2: the bug is found within 1,000 seeds of the default strategy", arguments: Animal.all)
  func found(_ animal: Animal) async {
    let failure = await Exploration(seeds: 1_000).firstFailure {
      if await !animal.run(true) { throw Escaped() }
    }
    guard case .threw? = failure?.reason else {
      Issue.record("\(animal.name): \(String(describing: failure))")
      return
    }
  }

  @Test("X2: the repaired code passes all seeds, without foreign work", arguments: Animal.all)
  func repaired(_ animal: Animal) async {
    let seeds = isSanitized ? 200 : ZooTests.seeds
    let outcome = await Exploration(seeds: seeds).outcome {
      if await !animal.run(false) { throw Escaped() }
    }
    #expect(outcome.failure == nil)
    #expect(outcome.account.foreignJobs == 0 && outcome.account.escapedTasks == 0)
    #expect(outcome.account.runs == seeds)
  }

  @Test(
    "X9: a bounded search finds the bug, and the repaired code passes a search with one forced switch",
    arguments: Animal.all)
  func searched(_ animal: Animal) async {
    let bound = animal.switches
    let issues = await recordedIssues {
      await exploreAll(preemptions: bound) { if await !animal.run(true) { throw Escaped() } }
    }
    #expect(issues.say("exploreAll: schedule", "threw Escaped"))
    await exploreAll(preemptions: 1) { if await !animal.run(false) { throw Escaped() } }
  }
}
