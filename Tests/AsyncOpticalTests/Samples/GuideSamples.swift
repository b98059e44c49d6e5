import AsyncKnotTesting
import AsyncOptical
import Testing

/// The samples of the migration guides for what the originals' users had.
struct CallbackService: Sendable {
  func titles(
    onSuccess: @escaping @Sendable ([String]) -> Void,
    onFailure: @escaping @Sendable (any Error) -> Void
  ) { onSuccess(["a"]) }
}

actor CallbackFeed: Opticle {
  let knot = Knot<[String]>([])
  let service = CallbackService()

  func dispatch(_ request: Int) async {
    await commit(from: request) {
      try await withCheckedThrowingContinuation { continuation in
        service.titles(
          onSuccess: { continuation.resume(returning: $0) },
          onFailure: { continuation.resume(throwing: $0) })
      }
    }
  }

  func mutate(_ state: inout [String], response: [String]) { state = response }
  func recover(_ state: inout [String], request: Int, error: any Error) {}
}

actor Thumbnails: Opticle {
  enum Request: Sendable { case draw(Int) }
  let knot = Knot<[Int: String]>([:])

  func dispatch(_ request: Request) async {
    guard case .draw(let id) = request else { return }
    await commit(from: request) {
      await Task.detached(priority: .background) { [id: "picture \(id)"] }.value
    }
  }

  func mutate(_ state: inout [Int: String], response: [Int: String]) {
    state.merge(response) { $1 }
  }
  func recover(_ state: inout [Int: String], request: Request, error: any Error) {}
}

/// A cell that shows an opticle, and is used again for others.
@MainActor final class ThumbnailCell: BindCell {
  let binding = ViewBinding<Thumbnails>()
  var text = ""

  func state(viewBinder: Thumbnails) async {
    viewBinder.watch.map { $0[1] ?? "" }.live(with: self, in: binding.bag) { cell, text in
      cell.text = text
    }
  }

  func command(viewBinder: Thumbnails) async { viewBinder.send(.draw(1)) }
}

actor SearchBinder: ViewBindable {
  enum Command: Sendable { case search(String), tap }
  enum Action: Sendable { case found(String), tapped }
  struct State: Sendable, Equatable { var text = "", taps = 0 }
  let knot = Knot(State())

  nonisolated func policy(for command: Command) -> DispatchPolicy {
    switch command {
    case .search: .latest("search")
    case .tap: .concurrent
    }
  }

  func binding(command: Command) async {
    switch command {
    case .search(let text): accept(.found("all about \(text)"))
    case .tap: accept(.tapped)
    }
  }

  func reduce(_ action: Action, into state: inout State) {
    switch action {
    case .found(let text): state.text = text
    case .tapped: state.taps += 1
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct GuideSamples {
  @Test("A service with callbacks is awaited")
  func callbacks() async {
    let feed = CallbackFeed()
    await feed.dispatch(1)
    #expect(feed.state == ["a"])
  }

  @Test("A reused cell shows an opticle, whose work has a priority of its own")
  @MainActor func cell() async {
    let cell = ThumbnailCell()
    cell.viewBinder = Thumbnails()
    while cell.text != "picture 1" { await Task.yield() }
  }

  @Test("A sequence of commands goes to a binder, and five equal actions are heard five times")
  func commands() async {
    let (taps, bag, binder) = (EventChannel<Void>(), TaskBag(), SearchBinder())
    let heard = Recorder(binder.transitions)
    taps.subscribe().map { SearchBinder.Command.tap }.send(to: binder, in: bag)
    for _ in 0..<5 { taps.send(()) }
    let causes = await heard.wait(for: 5).map(\.cause)
    #expect(causes == Array(repeating: .action(.tapped), count: 5))
    binder.send(.search("swifts"))
    for await text in binder.watch.map(\.text) where text == "all about swifts" { break }
  }
}

extension SearchBinder.Action: Equatable {}
