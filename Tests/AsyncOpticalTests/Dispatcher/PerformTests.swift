import AsyncKnotTesting
import AsyncOptical
import TestSupport
import Testing

@Suite struct PerformTests {
  @Test(
    "O14: perform returns when the message is carried out, superseded or dropped, and says which")
  func outcomes() async {
    await exploreContract(seeds: 500) {
      let (worker, gate, said) = (Onsite(), Gate(), Log<String>())
      func perform(
        _ id: Int, _ policy: DispatchPolicy, _ work: @escaping @Sendable () async -> Void = {}
      ) async {
        let request = Onsite.Request(id: id, policy: policy) { _ in await work() }
        said.append("\(id) \(await worker.perform(request))")
      }
      await withDiscardingTaskGroup { group in
        group.addTask { await perform(1, .concurrent) }
        group.addTask { await perform(2, .latest("page")) { await gate.wait() } }
        group.addTask { await perform(4, .exclusive("more")) { await gate.wait() } }
        await untilIdle()
        group.addTask { await perform(3, .latest("page")) }
        group.addTask { await perform(5, .exclusive("more")) }
        await untilIdle()
        group.addTask { await perform(6, .serial("a")) { await gate.wait() } }
        await untilIdle()
        group.addTask { await perform(7, .serial("a")) }
        await untilIdle()
        worker.cancel("a")
        await untilIdle()
        gate.open()
      }
      let outcomes = said.all.sorted()
      let expected = [
        "1 carriedOut", "2 superseded", "3 carriedOut", "4 carriedOut", "5 dropped", "6 superseded",
        "7 dropped",
      ]
      try hold(outcomes == expected, "\(outcomes)")
    }
  }
}
