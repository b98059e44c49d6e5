import AsyncKnot
import AsyncKnotTesting
import Measure

/// Measures the time of a job, which is the part of a task between two suspensions.
@main
struct ExploreBenchmarks {
  static func main() async {
    Report.header("Exploration")
    let report = Report([
      "scenario", "strategy", "jobs per run", "µs per run", "ns per job", "jobs per second",
    ])
    for scenario in Scenario.all {
      for (name, strategy) in [
        ("uniform", ExplorationStrategy.uniform), ("PCT", .pct), ("mixed", .mixed),
      ] {
        let exploration = Exploration(seeds: 200, strategy: strategy)
        let jobs = await averageJobs(of: scenario, exploration)
        let time = await minimum(of: 15) {
          consume(await exploration.firstFailure(scenario.body))
        }
        let run = time.nanoseconds / Double(exploration.seeds)
        report.row(
          scenario.name, name, figure(jobs), figure(run / 1e3), figure(run / jobs),
          figure(1e9 * jobs / run))
      }
    }
    chance()
  }

  /// Measures `fault` and `choose` outside an exploration, compared with reading a property of the current task.
  private static func chance() {
    let report = Report(["outside an exploration", "ns per call"])
    let calls = 10_000_000
    let rows: [(String, @Sendable () -> Int)] = [
      ("Task.isCancelled", { (0..<calls).reduce(0) { leave($0 &+ (Task.isCancelled ? 1 : $1)) } }),
      ("fault(_:)", { (0..<calls).reduce(0) { leave($0 &+ (fault("lost response") ? 1 : $1)) } }),
      ("choose(from:)", { (0..<calls).reduce(0) { leave($0 &+ choose(from: 1...3) &+ $1) } }),
    ]
    for (name, body) in rows {
      let time = minimum(of: 9) { consume(body()) }
      report.row(name, figure(time.nanoseconds / Double(calls)))
    }
  }

  private static func averageJobs(
    of scenario: Scenario, _ exploration: Exploration
  ) async -> Double {
    var jobs = 0
    for seed in 0..<exploration.seeds {
      jobs += await exploration.run(seed: UInt64(seed), scenario.body).trace.jobs
    }
    return Double(jobs) / Double(exploration.seeds)
  }
}

private struct Scenario {
  let name: String
  let body: @Sendable () async throws -> Void

  static let all = [
    Scenario(name: "nothing") {},
    Scenario(name: "one task, 1,000 yields") {
      for _ in 0..<1_000 { await Task.yield() }
    },
    Scenario(name: "8 tasks, 100 yields each") {
      await withDiscardingTaskGroup { group in
        for _ in 0..<8 { group.addTask { for _ in 0..<100 { await Task.yield() } } }
      }
    },
    Scenario(name: "8 tasks, 100 calls to one actor each") {
      let tally = Tally()
      await withDiscardingTaskGroup { group in
        for _ in 0..<8 { group.addTask { for step in 0..<100 { await tally.add(leave(step)) } } }
      }
    },
    Scenario(name: "8 tasks created with Task {}, 100 calls to one actor each") {
      let tally = Tally()
      let tasks = (0..<8).map { _ in
        Task { for step in 0..<100 { await tally.add(leave(step)) } }
      }
      for task in tasks { await task.value }
    },
    Scenario(name: "2 observers and 2 writers of a node") {
      let node = Node()
      await withDiscardingTaskGroup { group in
        for _ in 0..<2 {
          group.addTask { for await state in node.states where state.count == 20 { return } }
        }
        for _ in 0..<2 {
          group.addTask {
            for step in 0..<10 {
              let amount = leave(step) < 10 ? 1 : 0
              await node.reduce { $0.count += amount }
            }
          }
        }
      }
    },
    Scenario(name: "100 tasks that may interrupt their creator") {
      let tasks = (0..<100).map { _ in
        let task = Task {}
        preemptionPoint()
        return task
      }
      for task in tasks { await task.value }
    },
    Scenario(name: "100 sleeps on a test clock") {
      let clock = TestClock()
      for _ in 0..<100 { try await clock.sleep(for: .seconds(1)) }
    },
  ]
}

/// Runs outside the actor, so that the optimizer cannot remove the hops between two calls to the actor.
@inline(never)
private func leave(_ step: Int) -> Int { step }

private actor Tally {
  private var sum = 0
  func add(_ amount: Int) { sum += amount }
}

private actor Node: Knotable {
  struct State: KnotState {
    var count = 0
    static func defaultState() -> State { State() }
  }
  let knot = Knot<State>()
  func update(_ state: State) {}
}
