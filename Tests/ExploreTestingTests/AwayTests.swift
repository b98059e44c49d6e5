import ExploreTesting
import Foundation

#if os(Linux)
  /// X2: the number of jobs that run while code is interrupted.
  @Suite struct AwayTests {
    @Test("X2: at an interruption, zero, one or two jobs run before the code continues")
    func jobs() async {
      var exploration = Exploration(seeds: 400, strategy: .uniform)
      exploration.interrupts = true
      await explore(exploration) {
        let done = Counter()
        let lock = NSLock()
        let tasks = (0..<2).map { _ in Task { done.increment() } }
        let before = done.value
        // Between the two reads of `done`, the scenario can be interrupted only at the unlock.
        lock.withLock {}
        for count in 0...2 {
          sometimes("\(count) jobs run in between", before == 0 && done.value == count)
        }
        for task in tasks { _ = await task.value }
      }
    }
  }
#endif
