import AsyncKnot
import AsyncKnotTesting
import ExploreTesting
import TestSupport
import Testing

/// Code of the package that a detached task of a scenario calls.
@Suite struct DetachedExploredTests {
  @Test("X2: a handler that is added in a detached task stays under the control of its exploration")
  func live() async {
    await explore(seeds: 200) {
      await Task.detached {
        let (taps, bag, given) = (EventChannel<Int>(), TaskBag(), Log<Int>())
        taps.subscribe().live(in: bag) { given.append($0) }
        for number in 1...3 { taps.send(number) }
        await untilIdle()
        #expect(given.all == [1, 2, 3])
        taps.finish()
      }.value
    }
  }

  @Test("X2: a detached task has the executor of its exploration")
  func executor() async {
    await explore(seeds: 1, allowing: [.noChoice]) {
      let known = Exploration.executor.map { ObjectIdentifier($0 as AnyObject) }
      let detached = Task.detached {
        let inner = Task.detached { Exploration.executor.map { ObjectIdentifier($0 as AnyObject) } }
        return await [Exploration.executor.map { ObjectIdentifier($0 as AnyObject) }, inner.value]
      }
      #expect(await detached.value == [known, known] && known != nil)
    }
  }
}
