import ExploreTesting
import Foundation

#if os(Linux)
  /// X2: how many jobs come while code is interrupted.
  @Suite struct AwayTests {
    @Test("X2: at one moment none, one or two jobs come before the interrupted code goes on")
    func jobs() async {
      var exploration = Exploration(seeds: 400, strategy: .uniform)
      exploration.interrupts = true
      await explore(exploration) {
        let done = Counter()
        let lock = NSLock()
        let tasks = (0..<2).map { _ in Task { done.increment() } }
        let before = done.value
        // The only moment in between is the unlocking.
        lock.withLock {}
        for count in 0...2 {
          sometimes("\(count) come", before == 0 && done.value == count)
        }
        for task in tasks { _ = await task.value }
      }
    }
  }
#endif
