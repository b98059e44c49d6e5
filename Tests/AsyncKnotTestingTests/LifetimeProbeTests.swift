import AsyncKnot
import AsyncKnotTesting
import TestSupport
import Testing

@Suite struct LifetimeProbeTests {
  private final class Plain: Sendable {}

  private actor Node: StateActor {
    struct State: KnotState {
      var count = 0
      static func defaultState() -> State { State() }
    }
    let knot = Knot<State>()
  }

  @Test("A holder without references is released, and its observers end")
  func released() async {
    await explore(seeds: 200, allowing: [.noChoice]) {
      var node: Node? = Node()
      let probe = node.map { LifetimeProbe($0) }
      let recorder = node.map { Recorder($0.states) }
      await recorder?.wait(for: 1)
      node = nil
      await probe?.expectReleased()
      #expect(probe?.registeredObservers == 0)
      await recorder?.waitForEnd()
    }
  }

  @Test("A holder that is still referenced fails the test, and the report names the holder")
  func held() async {
    let node = Node()
    let issues = await recordedIssues { await LifetimeProbe(node).expectReleased() }
    #expect(issues.say("Node (LifetimeProbeTests.swift:", "was not released"))
    withExtendedLifetime(node) {}
  }

  @Test("A single observer that is still registered fails the test")
  func observed() async {
    let node = Node()
    let recorder = Recorder(node.states)
    await recorder.wait(for: 1)
    let probe = LifetimeProbe(node)
    while probe.registeredObservers == 0 { await Task.yield() }
    let issues = await recordedIssues { await probe.expectReleased() }
    #expect(issues.say("Node (LifetimeProbeTests.swift:", "still has 1 registered observer"))
    withExtendedLifetime(node) {}
  }

  @Test("An object that is not a state holder can also be watched")
  func anyObject() async {
    let probe: LifetimeProbe
    do { probe = LifetimeProbe(Plain()) }
    await probe.expectReleased()
  }
}
