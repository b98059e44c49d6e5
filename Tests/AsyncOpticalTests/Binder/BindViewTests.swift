import AsyncKnot
import AsyncKnotTesting
import AsyncOptical
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(30))) struct BindViewTests {
  /// A label that shows the counter, and binds as in the documentation.
  final class Label: BindView {
    let binding = ViewBinding<Counter>()
    var shown: [Int] = []
    var calls: [String] = []

    init() {}

    init(viewBinder: Counter) { self.viewBinder = viewBinder }

    func state(viewBinder: Counter) {
      calls.append("state")
      viewBinder.watch.map(\.count).live(with: self, in: binding.bag) { label, count in
        label.shown.append(count)
      }
    }

    func command(viewBinder: Counter) { calls.append("command") }
  }

  /// A cell that shows the counter with its own loop over the states.
  final class Cell: BindCell {
    let binding = ViewBinding<Counter>()
    var shown: [Int] = []
    var calls: [String] = []

    func state(viewBinder: Counter) {
      calls.append("state")
      binding.bag.add { [weak self] in
        for await state in viewBinder.states { self?.shown.append(state.count) }
        self?.calls.append("loop ended")
      }
    }

    func command(viewBinder: Counter) { calls.append("command") }
  }

  /// A view that ends its binding as soon as it is bound.
  private final class Fickle: BindView {
    let binding = ViewBinding<Counter>()
    var commands = 0
    func state(viewBinder: Counter) { self.viewBinder = nil }
    func command(viewBinder: Counter) { commands += 1 }
  }

  @Test("V2: a view that sets its binder in state(viewBinder:) binds no commands to the old binder")
  func setAgainWhileBinding() {
    let view = Fickle()
    view.viewBinder = Counter()
    #expect(view.viewBinder == nil && view.commands == 0)
  }

  /// A view that sets another binder when its first binding is cancelled.
  private final class Replacing: BindView {
    let binding = ViewBinding<Counter>()
    let others: [Counter]
    var rendered: [Int] = []
    init(_ others: [Counter]) { self.others = others }
    func state(viewBinder: Counter) {
      viewBinder.watch.map(\.count).live(with: self, in: binding.bag) { $0.rendered.append($1) }
    }
    func command(viewBinder: Counter) {
      guard !others.contains(where: { $0 === viewBinder }) else { return }
      binding.bag.add { @MainActor [weak self] in
        await withTaskCancellationHandler {
          try? await Task.sleep(for: .seconds(1_000))
        } onCancel: {
          MainActor.assumeIsolated { self?.viewBinder = self?.others[1] }
        }
      }
    }
  }

  @Test("V2: a view that sets its binder while a binding ends keeps only the last binding")
  func setAgainWhileEnding() async {
    let others = [Counter(), Counter()]
    let view = Replacing(others)
    view.viewBinder = Counter()
    for _ in 0..<10 { await Task.yield() }
    view.viewBinder = others[0]
    #expect(view.viewBinder === others[1])
    await others[1].accept(.added(5))
    await others[0].accept(.added(7))
    await waitWhile(!view.rendered.contains(5))
    for _ in 0..<10 { await Task.yield() }
    #expect(!view.rendered.contains(7))
  }

  /// A binder that owns a `Farewell`.
  ///
  /// The test's `Farewell` reads the view's binder in its `deinit`.
  private actor Owned: ViewBindable {
    let knot = Knot(0)
    let last: Farewell
    init(_ last: Farewell) { self.last = last }
    func binding(command: Int) async {}
    func reduce(_ action: Int, into state: inout Int) { state += action }
  }

  private final class Plain: BindView {
    let binding = ViewBinding<Owned>()
    func state(viewBinder: Owned) {}
    func command(viewBinder: Owned) {}
  }

  @Test(
    "V2: if a binder is released with its binding, the binder's deinit may read view.viewBinder")
  func readWhileReleased() {
    let (view, wasNil) = (Plain(), Log<Bool>())
    func bind() {
      view.viewBinder = Owned(
        Farewell { [weak view] in
          MainActor.assumeIsolated { wasNil.append(view?.viewBinder == nil) }
        })
    }
    bind()
    view.viewBinder = nil
    #expect(wasNil.all == [true])
  }

  @Test("VR8, V2: a loop over the states that runs in the binding's bag ends with the binding")
  func loop() async {
    let cell = Cell()
    cell.viewBinder = Counter()
    #expect(cell.calls == ["state", "command"])
    await waitWhile(cell.shown.last != 0)
    cell.viewBinder = nil
    await waitWhile(cell.calls.count < 3)
    #expect(cell.calls.last == "loop ended")
  }

  @Test("VR12: a binder passed to the initializer is bound")
  func initializer() async {
    let label = Label(viewBinder: Counter())
    await waitWhile(label.shown.last != 0)
    label.viewBinder?.send(.add(1))
    await waitWhile(label.shown.last != 1)
    #expect(label.shown == [0, 1])
  }

  @Test("VR9: a binder that is set late is bound, and setting nil ends the binding")
  func lateAndNil() async {
    let label = Label()
    await settle()
    let counter = Counter()
    label.viewBinder = counter
    #expect(label.viewBinder === counter)
    await waitWhile(label.shown.last != 0)
    label.viewBinder = nil
    await counter.accept(.added(1))
    await settle()
    #expect(label.viewBinder == nil)
    #expect(label.shown == [0])
    #expect(LifetimeProbe(counter).registeredObservers == 0)
  }

  @Test("V2: a view that is released as soon as it is bound leaves nothing behind")
  func releasedImmediately() async {
    let counter = Counter()
    let label: LifetimeProbe
    do {
      let bound = Label()
      label = LifetimeProbe(bound)
      bound.viewBinder = counter
    }
    await settle()
    #expect(label.isReleased)
    #expect(LifetimeProbe(counter).registeredObservers == 0)
  }

  /// Lets all resumed tasks run.
  private func settle() async {
    for _ in 0..<200 { await Task.yield() }
  }
}
