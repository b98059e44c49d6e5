/// The shortest schedule of a failure, as a file that replays it.
///
/// ```
/// explore 1
/// test ZooTests.AccountTests/isNeverOverdrawn()
/// seed 4711
/// switch 2 1 0 9054186342147210923
/// ```
/// A line `switch` has the key of a task, the number of its step, the number of preemption points after that,
/// and the key of the task that runs there. A line `cancel` has the number of jobs after which the scenario is cancelled,
/// one `drawn` the strategy of a run that is drawn from its seed.
struct ReplayFile: Equatable {
  let test: String
  let seed: UInt64
  let switches: [ForcedSwitch]
  var cancelsAfter: Int?
  /// The strategy by which the run was drawn from its seed; `nil` if it follows the switches.
  var strategy: ExplorationStrategy?

  /// The run that takes the schedule.
  var plan: RunPlan {
    var plan =
      strategy.map { RunPlan(seed: seed, strategy: $0) } ?? RunPlan(seed: seed, following: switches)
    plan.cancelsAfter = cancelsAfter
    return plan
  }

  var text: String {
    var lines = ["explore 1", "test \(test)", "seed \(seed)"]
    if let cancelsAfter { lines.append("cancel \(cancelsAfter)") }
    for forced in switches {
      let after = forced.after
      lines.append("switch \(after.task) \(after.step) \(after.point) \(forced.run)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  init(test: String, seed: UInt64, switches: [ForcedSwitch], cancelsAfter: Int? = nil) {
    self.test = test
    self.seed = seed
    self.switches = switches
    self.cancelsAfter = cancelsAfter
  }

  /// Reads the text of a file; `nil` if it is of another kind or version.
  init?(text: String) {
    var lines = text.split(separator: "\n")[...]
    guard lines.popFirst() == "explore 1" else { return nil }
    var test = ""
    var seed: UInt64 = 0
    var switches: [ForcedSwitch] = []
    var cancelsAfter: Int?
    var strategy: ExplorationStrategy?
    for line in lines {
      let words = line.split(separator: " ")
      switch words.first {
      case "test": test = String(line.dropFirst(5))
      case "seed":
        guard words.count == 2, let number = UInt64(words[1]) else { return nil }
        seed = number
      case "drawn":
        let known: [ExplorationStrategy] = [.uniform, .pct, .skewed, .mixed]
        strategy = known.first { words.last ?? "" == "\($0)" }
        guard strategy != nil else { return nil }
      case "cancel":
        guard words.count == 2, let number = Int(words[1]), number >= 0 else { return nil }
        cancelsAfter = number
      case "switch":
        guard words.count == 5, let task = UInt64(words[1]), let step = Int(words[2]),
          let point = Int(words[3]), let run = UInt64(words[4])
        else { return nil }
        let after = ForcedSwitch.Moment(task: task, step: step, point: point)
        switches.append(ForcedSwitch(after: after, run: run))
      default: return nil
      }
    }
    self.init(test: test, seed: seed, switches: switches, cancelsAfter: cancelsAfter)
    self.strategy = strategy
  }
}
