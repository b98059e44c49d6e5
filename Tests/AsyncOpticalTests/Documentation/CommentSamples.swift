import AsyncOptical

// The samples of the documentation comments: compiled, and not run.

private enum Feeds {
  struct FeedService: Sendable {
    func titles() async throws -> [String] { [] }
  }

  actor Feed: Opticle {
    struct State: Sendable { var titles: [String] = [], message = "" }
    enum Request { case load }
    let knot = Knot(State())
    let service = FeedService()

    func dispatch(_ request: Request) async {
      await commit(from: request) { try await service.titles() }
    }
    func mutate(_ state: inout State, response: [String]) { state.titles = response }
    func recover(_ state: inout State, request: Request, error: any Error) {
      state.message = "\(error)"
    }
  }
}

private enum Binders {
  struct Service: Sendable {
    func value() async -> String { "" }
  }

  actor SampleBinder: ViewBindable {
    enum Command { case fetch }
    enum Action { case loaded(String) }
    struct State: Sendable { var value = "" }
    let knot = Knot(State())
    let service = Service()

    func binding(command: Command) async {
      switch command {
      case .fetch: accept(.loaded(await service.value()))
      }
    }
    func reduce(_ action: Action, into state: inout State) {
      switch action {
      case .loaded(let value): state.value = value
      }
    }
  }

  @MainActor final class Label { var text = "" }

  @MainActor final class SampleView: BindView {
    let binding = ViewBinding<SampleBinder>()
    let label = Label()

    func state(viewBinder: SampleBinder) async {
      viewBinder.watch.map(\.value).live(with: self, in: binding.bag) { view, value in
        view.label.text = value
      }
    }
    func command(viewBinder: SampleBinder) async { viewBinder.send(.fetch) }
  }

  @MainActor static func bind(_ view: SampleView) {
    view.viewBinder = SampleBinder()
  }
}

/// An opticle that retries, and whose mailbox has room for a hundred.
private actor Pages: Opticle {
  struct Item: Sendable { let id: Int }
  struct State: Sendable { var titles: [String] = [], isLoading = false }
  enum Request: Sendable { case search(String), open(Int), save(Item), loadMore }
  let knot = Knot(State())
  let service = Feeds.FeedService()

  nonisolated var mailboxPolicy: MailboxPolicy { .newest(100) }

  nonisolated func policy(for request: Request) -> DispatchPolicy {
    switch request {
    case .search: .debounced("search", for: .milliseconds(300))
    case .open: .latest("page")
    case .save(let item): .serial(item.id)
    case .loadMore: .exclusive("more")
    }
  }

  func dispatch(_ request: Request) async {
    await commit(from: request, retrying: .exponential(attempts: 3), timeout: .seconds(5)) {
      [service] in try await service.titles()
    }
    let policy = RetryPolicy.exponential(attempts: 4, from: .milliseconds(200), limit: .seconds(2))
    await commit(from: request, retrying: policy) { [service] in try await service.titles() }
  }
  func mutate(_ state: inout State, response: [String]) { state.titles = response }
  func recover(_ state: inout State, request: Request, error: any Error) {}
}

enum Refresh: Sendable { case now }

func refresh(_ dispatcher: some Dispatcher<Refresh>) {
  dispatcher.send(.now)
}

private func cancelling(_ feed: Pages, _ page: Int) {
  feed.send(.open(page))  // .latest("page")
  feed.cancel("page")
}

private func looking(at feed: Feeds.Feed, _ before: Pages.State, _ after: Pages.State) async {
  print(StateDifference(from: before, to: after))
  // items[2].title: "a" → "b"
  // items[3]: added Item(title: "c")

  for await transition in feed.transitions { print(transition) }
  // response(["a"])
  //   titles: [] → ["a"]
}

private func failing(_ feed: Feeds.Feed, _ log: (String) -> Void) async {
  for await transition in feed.transitions {
    if case .failure(let request, let error) = transition.cause { log("\(request): \(error)") }
  }
}

private func goingBack(_ editor: TextEditor) async {
  let history = UndoHistory(of: editor, limit: 50)
  await editor.undo(history)  // puts the state before the last commit back
  await editor.redo(history)
}

@MainActor private func watching(_ feed: Pages, bag: TaskBag) async {
  func show(_ titles: [String]) {}
  feed.watch.map(\.titles).live(in: bag) { titles in show(titles) }
}

@MainActor private func pausing(_ feed: Pages, bag: TaskBag) {
  func draw(_ state: Pages.State) {}
  func show(_ titles: [String]) {}
  do {
    let control = feed.states.live(in: bag) { state in draw(state) }
    control.pause()  // nothing is delivered, and nothing is registered
    control.resume()  // the newest state is delivered at once
    control.cancel()  // for good
  }
  do {
    let control = feed.states.map(\.titles).live(in: bag) { titles in show(titles) }
    control.pause()
    control.resume()  // goes on with the newest
  }
}

@MainActor private final class PageView: BindView {
  let binding = ViewBinding<Pages>()
  func show(_ state: Pages.State) {}

  func state(viewBinder feed: Pages) async {
    feed.states.live(with: self, in: binding.bag) { view, state in view.show(state) }
  }
  func command(viewBinder feed: Pages) async {}
}
