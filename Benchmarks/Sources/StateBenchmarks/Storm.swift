import AsyncKnot
import Foundation
import Measure

/// Measures 1,000,000 updates by 64 producers with 1,000 observers, and traps if an update or the last state is lost.
func measureStorm() async {
  let (observers, producers, each) = (1_000, 64, 15_625)
  let last = producers * each
  let before = peakResidentSize()
  let start = ContinuousClock.now
  let node = Node()
  await withTaskGroup { group in
    for _ in 0..<observers {
      group.addTask {
        var seen = -1
        for await state in node.states {
          precondition(state.value > seen, "the state \(state.value) came after \(seen)")
          seen = state.value
          if seen == last { break }
        }
        precondition(seen == last, "an observer ended with the state \(seen), not \(last)")
      }
    }
    for _ in 0..<producers {
      group.addTask { await Numbers(bound: each).pipe(to: node) { _, state in state.value += 1 } }
    }
  }
  precondition(node.state.value == last, "updates were lost")
  let time = ContinuousClock.now - start
  let report = Report(["1,000 observers, 64 producers, 1,000,000 updates", "ms", "peak memory, MB"])
  report.row(
    "no update lost or out of order; every observer ends with the last state",
    figure(time.milliseconds),
    figure(Double(peakResidentSize() - before) / 1e6))
}

private func peakResidentSize() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
  return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1_024
}
