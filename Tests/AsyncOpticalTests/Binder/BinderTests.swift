@Suite struct BinderTests {
  @Test("VR1, VR6: commands become actions, and actions change a state that has an initial value")
  func counts() async {
    let counter = Counter()
    #expect(counter.state.count == 0)
    counter.send(.add(2))
    let states = Recorder(counter.watch.filter { $0.count == 5 })
    counter.send(.add(3))
    await states.wait(for: 1)
    #expect(counter.state == .init(count: 5))
  }

  @Test("VR4, V1: policies also apply to the commands of a binder")
  func policies() async {
    await exploreContract(seeds: 500) {
      let counter = Counter()
      let gate = Gate()
      counter.send(.wait(gate, then: 100))
      counter.send(.wait(gate, then: 10))
      await untilIdle()
      gate.open()
      await untilIdle()
      try hold(counter.state.count == 10, "\(counter.state.count)")
    }
  }

  @Test("VR5: the transitions of a binder report each accepted action and each restore")
  func transitions() async {
    let counter = Counter()
    let recorder = Recorder(counter.transitions)
    counter.send(.add(2))
    await counter.accept(.added(3))
    await recorder.wait(for: 2)
    await counter.restore(.init(count: 1))
    let seen = await recorder.wait(for: 3)
    #expect(seen.last?.before.count == 5)
    #expect(seen.last?.after.count == 1)
    for transition in seen.prefix(2) {
      guard case .added(let number) = transition.cause else {
        Issue.record("\(transition)")
        continue
      }
      #expect(transition.after.count == transition.before.count + number)
    }
  }

  @Test("VR2: an actor can use a binder as a view does")
  func fromActor() async {
    actor Screen {
      let counter = Counter()
      private(set) var shown: [Int] = []
      func show() async {
        counter.send(.add(1))
        for await count in counter.watch.map(\.count) {
          shown.append(count)
          if count == 1 { return }
        }
      }
    }
    let screen = Screen()
    await screen.show()
    #expect(await screen.shown.last == 1)
  }
}
