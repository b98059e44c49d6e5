import AsyncDiff
import Testing

@testable import LiveTop
@testable import ProcessBoard

/// The system can report any number, so each number is shown, limited or left out.
@Suite struct NumbersTests {
  @Test(
    "a number outside JavaScript's range becomes the nearest number in the range, and NaN becomes 0"
  )
  func nearest() {
    let most = 9_007_199_254_740_991
    #expect(
      [2.5, -2.5, 1e300, -1e300, .infinity, -.infinity, .nan].map { Int(nearest: $0) }
        == [3, -3, most, -most, most, -most, 0])
  }

  @Test(
    "a row of `ps` with an impossible number is skipped",
    arguments: [
      "1 0 9223372036854775807 0:05 Sun Nov 22 09:15:58 2026 a",
      "1 0 1 nan:05 Sun Nov 22 09:15:58 2026 a", "1 0 1 inf:00 Sun Nov 22 09:15:58 2026 a",
      "1 0 1 1e300:00 Sun Nov 22 09:15:58 2026 a",
      "1 0 1 0:05 Sun Nov 22 09:15:58 9223372036854775807 a",
      "1 0 1 0:05 Sun Nov 9223372036854775807 09:15:58 2026 a",
      "1 0 1 0:05 Sun Nov 22 nan:00:00 2026 a", "-1 0 1 0:05 Sun Nov 22 09:15:58 2026 a",
    ])
  func psTable(line: String) {
    #expect(PsTable.rows(Array("\(line)\n1 0 1 0:05 Sun Nov 22 09:15:58 2026 b".utf8)).count == 1)
  }

  @Test("impossible counters in /proc are skipped")
  func procFiles() {
    let most = Int.max
    let stat =
      "1 (a) R 1 1 1 0 -1 4194304 99 0 0 0 \(most) \(most) 0 0 20 0 1 0 \(most) 1 \(most) 1"
    #expect(ProcFiles.stat(Array(stat.utf8)) == nil)
    #expect(
      ProcFiles.memory(Array("MemTotal: \(most) kB\nMemAvailable: \(-most) kB\n".utf8)) == nil)
    let processors = ProcFiles.processors(Array("cpu  \(most) \(most) 1 1 1 1 1\n".utf8))
    #expect(processors?.cores == 1)
  }

  @Test("a board and its arrangements can be created from any reading")
  func board() {
    let numbers = [Double.infinity, -.infinity, .nan, 1e300, 1e-300, 0]
    var board = Board()
    for time in numbers + numbers {
      for number in numbers {
        board.add(
          Reading(
            time: time,
            processes: [Int.min, 0, Int.max].enumerated().map { at, memory in
              Reading.Process(
                id: ProcessID(number: at, start: memory), user: "ada", name: "a", command: "a",
                processorTime: number, memory: memory)
            }, memoryUsed: .max, memoryTotal: .min, load: number, cores: 1, busyTime: number))
        let page = Arrangement(of: board, by: ViewOptions()).snapshot(
          for: TabBinder.State(selection: ProcessID(number: 0, start: .min)), of: board)
        #expect(page.numberOfItems == 3)
      }
    }
  }
}
