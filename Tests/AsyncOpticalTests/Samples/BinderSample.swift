import AsyncKnot
import AsyncKnotTesting
import AsyncOptical
import Testing

/// The samples of the migration guide from RxViewBinder, as they stand there.
actor SampleViewBinder: ViewBindable {
  enum Command: Sendable {
    case fetch
  }

  enum Action: Sendable {
    case value(String)
  }

  struct State: Sendable, Equatable {
    var value = ""
  }

  let knot = Knot(State())

  func binding(command: Command) async {
    switch command {
    case .fetch:
      accept(.value("test"))
    }
  }

  func reduce(_ action: Action, into state: inout State) {
    switch action {
    case .value(let value):
      state.value = value
    }
  }
}

@MainActor
final class SampleView: BindView {
  let binding = ViewBinding<SampleViewBinder>()
  var text = ""

  init(viewBinder: SampleViewBinder) {
    self.viewBinder = viewBinder
  }

  func state(viewBinder: SampleViewBinder) async {
    viewBinder.watch.map(\.value).live(with: self, in: binding.bag) { view, value in
      view.text = value
    }
  }

  func command(viewBinder: SampleViewBinder) async {
    viewBinder.send(.fetch)
  }
}

@Suite(.timeLimit(.minutes(5))) struct BinderSamples {
  @Test("the view shows what the binder fetched")
  @MainActor func view() async {
    let view = SampleView(viewBinder: SampleViewBinder())
    while view.text != "test" { await Task.yield() }
  }

  @Test("the binder on its own")
  func probe() async {
    let probe = BinderProbe(SampleViewBinder())
    probe.send(.fetch)
    await probe.expect { $0.value = "test" }
    await probe.finish()
  }
}
