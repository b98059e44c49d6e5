/// A file that replays the shortest schedule of a failure.
///
/// ```
/// explore 1
/// test ZooTests.AccountTests/isNeverOverdrawn()
/// seed 4711
/// switch 2 1 0 9054186342147210923
/// ```
/// A `switch` line has the key of a task, the number of its step, the point in that step (see ``ForcedSwitch/Moment``), and the
/// key of the task that runs there. For a decision of `choose` or `fault`, the last number is the index of the chosen option. A
/// `cancel` line has the number of jobs after which the scenario is cancelled.
struct ReplayFile: Equatable {
  var test = ""
  var seed: UInt64 = 0
  var switches: [ForcedSwitch] = []
  var cancelsAfter: Int?

  /// The plan of a run that follows the schedule.
  var plan: RunPlan {
    var plan = RunPlan(seed: seed, Chooser(following: switches, isMixed: true))
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
}

extension ReplayFile {
  /// Reads text that contains at least one schedule; `nil` if there is none, or if any schedule has another version.
  static func all(in text: String) -> [ReplayFile]? {
    var texts: [String] = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix("explore ") || texts.isEmpty { texts.append("") }
      texts[texts.count - 1] += line + "\n"
    }
    let files = texts.compactMap { ReplayFile(text: $0) }
    return files.isEmpty || files.count < texts.count ? nil : files
  }

  /// Reads the text of a file; `nil` if it is not a schedule of this version.
  init?(text: String) {
    var lines = text.split(separator: "\n")[...]
    guard lines.popFirst() == "explore 1" else { return nil }
    self.init()
    var namesTest = false
    for line in lines {
      let words = line.split(separator: " ")
      let numbers = words.dropFirst().compactMap { UInt64($0) }
      switch (words.first, numbers.count) {
      case ("test", _): (test, namesTest) = (String(line.dropFirst(5)), true)
      case ("seed", 1): seed = numbers[0]
      case ("cancel", 1): cancelsAfter = Int(clamping: numbers[0])
      case ("switch", 4):
        let after = ForcedSwitch.Moment(
          task: numbers[0], step: Int(clamping: numbers[1]), point: Int(clamping: numbers[2]))
        switches.append(ForcedSwitch(after: after, run: numbers[3]))
      default: return nil
      }
    }
    if !namesTest { return nil }
  }
}
