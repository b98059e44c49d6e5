import AsyncKnot
import AsyncKnotTesting
import AsyncOptical
import TestSupport
import Testing

/// Requests and binders in a target in which everything is on the main actor by default.
@Suite(.timeLimit(.minutes(30))) struct OpticalTests {
  actor Feed: Opticle {
    nonisolated struct State: Sendable, Equatable { var titles: [String] = [] }
    nonisolated enum Request: Sendable { case load(String) }

    let knot = Knot(State())

    func dispatch(_ request: Request) async {
      await commit(from: request) {
        switch request {
        case .load(let title): title
        }
      }
    }
    func mutate(_ state: inout State, response: String) { state.titles.append(response) }
    func recover(_ state: inout State, request: Request, error: any Error) {}
    nonisolated func policy(for request: Request) -> DispatchPolicy { .serial("load") }
  }

  actor Sample: ViewBindable {
    nonisolated enum Command: Sendable { case fetch }
    nonisolated struct State: Sendable { var value = "" }

    let knot = Knot(State())

    func binding(command: Command) async { accept("test") }
    func reduce(_ action: String, into state: inout State) { state.value = action }
  }

  final class SampleView: BindView {
    let binding = ViewBinding<Sample>()
    var values: [String] = []

    func state(viewBinder: Sample) {
      viewBinder.watch.map(\.value).live(with: self, in: binding.bag) { view, value in
        view.values.append(value)
      }
    }
    func command(viewBinder: Sample) { viewBinder.send(.fetch) }
  }

  @Test(
    "O6: a handler written in main-actor code is called on the main actor, with the values in order"
  )
  func live() async {
    let feed = Feed()
    var seen: [Int] = []
    feed.watch.map(\.titles.count).live(in: feed.knot.bag) { count in
      MainActor.assertIsolated()
      seen.append(count)
    }
    for title in ["a", "b", "c"] { feed.send(.load(title)) }
    await waitWhile(seen.last != 3)
    #expect(feed.state.titles == ["a", "b", "c"])
    #expect(seen == seen.sorted())
  }

  @Test(
    "VR8, VR12, V2: a view binds state before commands, and setting its binder to nil ends the binding"
  )
  func bindView() async {
    let view = SampleView()
    view.viewBinder = Sample()
    await waitWhile(view.values.last != "test")
    #expect(view.values.first == "")
    let binder = view.viewBinder
    view.viewBinder = nil
    for _ in 0..<100 { await Task.yield() }
    #expect(binder?.knot.observerCount == 0)
  }

  @Test("OR17: the probe works from main-actor code")
  func probe() async {
    let probe = OpticleProbe(Feed())
    probe.send(.load("a"))
    await probe.expect { $0.titles = ["a"] }
    await probe.finish()
  }
}
