@Suite struct AtomicityTests {
  @Test("S1: a reduction returns its closure's result, computed in the same step")
  func reductionReturnsItsResult() async {
    let node = PlainNode()
    let seen = await withTaskGroup { group in
      for _ in 0..<200 {
        group.addTask {
          await node.reduce { state in
            state.count += 1
            return state.count
          }
        }
      }
      return await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(seen == Set(1...200))
  }

  private struct Big: KnotState {
    var values = [Int](repeating: 0, count: 100_000)
    var address: UInt { values.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
    static func defaultState() -> Big { Big() }
  }
  private actor BigNode: Knotable {
    let knot = Knot<Big>()
    var told = 0
    func update(_ state: Big) { told += 1 }
  }

  @Test("S10: a handler of live does not keep a state that it has handled")
  func handledStates() async {
    let (node, bag, calls) = (BigNode(), TaskBag(), Shared(0))
    node.states.live(in: bag) { _ in calls.value += 1 }
    for count in 1...3 {
      // Until the loop waits for the next state.
      await waitWhile(calls.value < count || node.knot.observerCount == 0)
      let before = node.state.address
      await node.reduce { $0.values[0] = count }
      #expect(node.state.address == before, "after \(count) states")
    }
    bag.cancel()
  }

  @Test("S10: a reduction mutates a large stored state in place")
  func reductionCopiesNothing() async {
    let node = BigNode()
    let before = node.state.address
    var iterator = node.states.makeAsyncIterator()
    #expect(await iterator.next()?.values.count == 100_000)
    await Elements(elements: Array(0..<100)).pipe(to: node) { index, state in
      state.values[index] += 1
    }
    #expect(node.state.address == before)
    #expect(node.state.values.prefix(100).allSatisfy { $0 == 1 })
    #expect(await node.told == 100)
  }
}
