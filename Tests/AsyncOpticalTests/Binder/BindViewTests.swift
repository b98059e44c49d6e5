import AsyncKnot
import AsyncKnotTesting
import AsyncOptical
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(5))) struct BindViewTests {
  /// A label that shows the counter, bound as the documentation says.
  final class Label: BindView {
    let binding = ViewBinding<Counter>()
    var shown: [Int] = []
    var calls: [String] = []
    var first: Counter.Command?

    init(first: Counter.Command? = nil) { self.first = first }

    init(viewBinder: Counter) {
      first = nil
      self.viewBinder = viewBinder
    }

    func state(viewBinder: Counter) async {
      calls.append("state")
      viewBinder.watch.map(\.count).live(with: self, in: binding.bag) { label, count in
        label.shown.append(count)
      }
    }

    func command(viewBinder: Counter) async {
      calls.append("command")
      first.map(viewBinder.send)
    }

    func shows(_ count: Int) async {
      while shown.last != count, !Task.isCancelled { await Task.yield() }
    }
  }

  /// The same with loops.
  final class Cell: BindCell {
    let binding = ViewBinding<Counter>()
    var shown: [Int] = []
    var calls: [String] = []

    func state(viewBinder: Counter) async {
      calls.append("state")
      for await state in viewBinder.states { shown.append(state.count) }
      calls.append("state ended")
    }

    func command(viewBinder: Counter) async { calls.append("command") }

    func shows(_ count: Int) async {
      while shown.last != count, !Task.isCancelled { await Task.yield() }
    }
  }

  @Test("VR8: setting the binder binds state before commands")
  func order() async {
    let label = Label(first: .add(3))
    label.viewBinder = Counter()
    await label.shows(3)
    #expect(label.calls == ["state", "command"])
    #expect(label.shown.first == 0, "the state was there before the first command")
  }

  @Test("VR8: commands are bound while a loop over the states goes on")
  func loop() async {
    let cell = Cell()
    cell.viewBinder = Counter()
    while cell.calls.count < 2 { await Task.yield() }
    #expect(cell.calls == ["state", "command"])
    #expect(cell.shown == [0], "the state was there before the first command")
    cell.viewBinder = nil
    while cell.calls.count < 3 { await Task.yield() }
    #expect(cell.calls.last == "state ended")
  }

  @Test("VR12: the binder may come through the initialiser")
  func initialiser() async {
    let label = Label(viewBinder: Counter())
    await label.shows(0)
    label.viewBinder?.send(.add(1))
    await label.shows(1)
  }

  @Test("VR9: a binder that is set late is bound, and nil unbinds")
  func lateAndNil() async {
    let label = Label()
    await settle()
    let counter = Counter()
    label.viewBinder = counter
    #expect(label.viewBinder === counter)
    await label.shows(0)
    label.viewBinder = nil
    await counter.accept(.added(1))
    await settle()
    #expect(label.viewBinder == nil)
    #expect(label.shown == [0])
    #expect(LifetimeProbe(counter).registeredObservers == 0)
  }

  @Test("VR9, VR11, OR16, V2: a cell that is used again renders nothing of the previous binder")
  func reuse() async {
    for round in 0..<50 {
      let (label, cell) = (Label(), Cell())
      let (old, new) = (Counter(), Counter())
      await old.accept(.added(100))
      label.viewBinder = old
      cell.viewBinder = old
      if round > 10 {
        await label.shows(100)
        await cell.shows(100)
      }
      for _ in 0..<round { old.send(.add(1)) }
      label.viewBinder = new
      cell.viewBinder = new
      (label.shown, cell.shown) = ([], [])
      for _ in 0..<round { old.send(.add(1)) }
      await label.shows(0)
      await cell.shows(0)
      await old.accept(.added(1))
      await settle()
      #expect(label.shown == [0])
      #expect(cell.shown == [0])
      #expect(LifetimeProbe(old).registeredObservers == 0)
    }
  }

  @Test(
    "V2: a binding that ended while state(viewBinder:) was suspended watches nothing afterwards")
  func endsDuringSetUp() async {
    final class Slow: BindView {
      let binding = ViewBinding<Counter>()
      let gate = Gate()
      var shown: [Int] = []
      var isWaiting = false
      func state(viewBinder: Counter) async {
        isWaiting = true
        await gate.wait()
        viewBinder.watch.map(\.count).live(in: binding.bag) { self.shown.append($0) }
      }
      func command(viewBinder: Counter) async {}
    }
    let view = Slow()
    let (old, new) = (Counter(), Counter())
    await old.accept(.added(100))
    view.viewBinder = old
    while !view.isWaiting { await Task.yield() }
    view.viewBinder = new
    view.gate.open()
    while view.shown.isEmpty { await Task.yield() }
    await old.accept(.added(1))
    await settle()
    #expect(view.shown == [0])
  }

  @Test("a view that goes before its binding has begun is not bound")
  func goesAtOnce() async {
    let probe: LifetimeProbe
    do {
      let label = Label()
      probe = LifetimeProbe(label)
      label.viewBinder = Counter()
    }
    #expect(probe.isReleased)
  }

  @Test("bind(to:) returns when both methods have, and its cancellation ends the binding")
  func bindTo() async {
    let label = Label()
    await label.bind(to: Counter())
    #expect(label.calls == ["state", "command"])

    let cell = Cell()
    let task = Task { await cell.bind(to: Counter()) }
    await cell.shows(0)
    while !cell.calls.contains("command") { await Task.yield() }
    task.cancel()
    await task.value
    #expect(cell.calls == ["state", "command", "state ended"])
  }

  /// Lets everything that was resumed run.
  private func settle() async {
    for _ in 0..<200 { await Task.yield() }
  }
}
