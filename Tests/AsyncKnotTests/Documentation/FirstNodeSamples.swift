import AsyncKnot
import Testing

/// The samples of the README's first program and of the articles "AsyncKnot" and "Your first node".
@Suite struct FirstNodeSamples {
  @Test("The first program ends with the sum of its ticks")
  func firstProgram() async {
    actor Counter: Knotable {
      struct State: KnotState {
        var count = 0
        static func defaultState() -> State { State() }
      }
      let knot = Knot<State>()
      func update(_ state: State) { print("count: \(state.count)") }
    }
    let counter = Counter()
    await AsyncInterval(every: .milliseconds(100))
      .prefix(5)
      .pipe(to: counter) { tick, state in state.count += tick }
    print("done at \(counter.state.count)")
    #expect(counter.state.count == 10)

    await counter.sink(Counter.State(count: 100))
    let count = await counter.reduce { state in
      state.count += 1
      return state.count
    }
    #expect(count == 101)

    print(counter.state.count)
    for await count in counter.states(of: \.count) {
      print(count)
      if count > 100 { break }
    }

    let taps = EventChannel<Int>()
    taps.subscribe().pipe(to: counter, in: counter.bag) { tap, state in state.count += tap }
    taps.send(1)
    for await count in counter.states(of: \.count) where count == 102 { break }
    #expect(!counter.bag.isEmpty)
  }

  actor ProfileNode: Knotable {
    struct State: KnotState {
      var title = "-", subtitle = "-"
      static func defaultState() -> State { State() }
    }
    let knot = Knot<State>()
    func update(_ state: State) { print(state.title, state.subtitle) }
  }

  @Test("The overview's pipe stops at 100, and an observer sees its last subtitle")
  func overview() async {
    let node = ProfileNode()
    let pipe = Task {
      await AsyncInterval(every: .milliseconds(10), after: .seconds(1))
        .filter(with: node) { tick, _ in tick < 100 }
        .pipe(to: node) { tick, state in state.subtitle = "\(tick)" }
    }
    for await subtitle in node.states(of: \.subtitle) where subtitle == "0" { break }
    pipe.cancel()
    await pipe.value
    let observer = Task {
      for await title in node.states(of: \.title) { print(title) }
    }
    await node.reduce { $0.title = "end" }
    observer.cancel()
    await observer.value
    #expect(node.state.title == "end")
  }
}
