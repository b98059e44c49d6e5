import AsyncKnot
import AsyncKnotTesting
import Testing

@Suite struct OperatorTests {
  @Test("Main-actor code can pipe events with a reducer, pipe states, and pipe in a bag")
  func pipes() async {
    let view = ProfileView()
    await numbers([1, 2, 3]).pipe(to: view) { number, state in state.count += number }
    #expect(view.updates == [1, 3, 6])
    let other = ProfileView()
    await numbers([1]).map { Profile(title: "a", count: $0) }.pipe(to: other)
    #expect(other.state == .init(title: "a", count: 1))
    let bag = TaskBag()
    let entry = view.states.pipe(to: other, in: bag)
    let recorder = Recorder(other.states)
    await recorder.wait { $0.last?.count == 6 }
    entry.cancel()
    #expect(bag.isEmpty)
    await bag.cancelAndWait()
  }

  @Test(
    "Main-actor code can use filter(with:), withState(from:), state(from:) and withLatest(from:)")
  func operators() async {
    let view = ProfileView()
    view.reduce { $0.count = 2 }
    var kept: [Int] = []
    for await number in numbers([1, 2, 3]).filter(with: view, { $0 >= $1.count }) {
      kept.append(number)
    }
    #expect(kept == [2, 3])
    for await (number, state) in numbers([4]).withState(from: view) {
      #expect(number == 4)
      #expect(state.count == 2)
    }
    for await state in numbers([5]).state(from: view) { #expect(state.count == 2) }
    for await (number, state) in numbers([6]).withLatest(from: view.states) {
      #expect(number == 6)
      #expect(state.count == 2)
    }
  }
}
