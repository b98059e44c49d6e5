@Suite struct LifetimeTests {
  @Test("S13: operators do not keep the holder alive, and continue with its last state")
  func operatorsDoNotKeepTheHolder() async {
    typealias Pairs = SampledSequence<Elements<Int>, OuterState, (Int, OuterState)>
    func events() async -> (LifetimeProbe, Pairs) {
      let node = PlainNode()
      await node.sink(.init(count: 9))
      return (LifetimeProbe(node), Elements(elements: [1]).withState(from: node))
    }
    let (probe, events) = await events()
    await probe.expectReleased()
    #expect(await events.collect().map(\.1.count) == [9])
  }

  @Test("S12, S13: a due layout does not keep the holder alive")
  func layoutDoesNotKeepTheHolder() async {
    func probe() async -> LifetimeProbe {
      let node = Node()
      await node.count([1, 2, 3])
      return LifetimeProbe(node)
    }
    await probe().expectReleased()
  }
}
