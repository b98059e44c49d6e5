import AsyncKnot
import AsyncOptical

/// The list: loaded pages, followed entries, and a message for the user.
actor HistoryList: Opticle {
  struct State: Sendable, Equatable {
    enum Status: Sendable, Equatable {
      case idle, loading
      case note(String)
    }

    var entries: [Entry] = []
    var followed: Set<Int> = []
    /// The name of the next page to load; `nil` if all pages are loaded.
    var next: String? = HistoryList.firstPage
    var status = Status.idle
    /// A message that stays visible while pages load.
    var notice: String?
  }

  enum Request: Sendable {
    case reload, more, stop
    case follow(Int)
    /// Replaces an entry that another screen has changed.
    case edited(Entry)
    case notice(String)
    case followed(Set<Int>)
  }

  enum Response: Sendable {
    case loading
    case page(Page, name: String)
    case request(Request)
  }

  static let firstPage = "history.json"

  let knot = Knot(State())
  let service: any HistoryService
  private let timeout: Duration

  init(service: any HistoryService, timeout: Duration) {
    self.service = service
    self.timeout = timeout
  }

  nonisolated func policy(for request: Request) -> DispatchPolicy {
    switch request {
    case .reload: .latest("reload")
    case .more: .exclusive("more")
    case .stop, .follow, .edited, .notice, .followed: .concurrent
    }
  }

  func dispatch(_ request: Request) async {
    switch request {
    case .reload: await load(HistoryList.firstPage, for: request)
    case .more:
      if let next = state.next, state.status != .loading { await load(next, for: request) }
    case .stop, .follow, .edited, .notice, .followed: commit(.request(request))
    }
  }

  private func load(_ name: String, for request: Request) async {
    commit(.loading)
    let service = service
    let retrying = RetryPolicy.exponential(attempts: 2, from: .milliseconds(200)) { error in
      !(error is TimeoutError)
    }
    await load(from: request) {
      let page = try await retry(retrying, timeout: timeout) { try await service.page(named: name) }
      return .page(page, name: name)
    }
  }

  func mutate(_ state: inout State, response: Response) {
    switch response {
    case .loading: state.status = .loading
    case .page(let page, HistoryList.firstPage):
      state.entries = page.entries
      state.next = page.next
      state.status = .idle
    case .page(let page, let name):
      state.status = .idle
      // A page that was requested before a reload does not belong to the new list.
      guard name == state.next else { return }
      state.entries += page.entries
      state.next = page.next
    case .request(let request): state.apply(request)
    }
  }

  func recover(_ state: inout State, request: Request, error: any Error) {
    let reason = "\(error)"
    state.status = .note("\(reason)\(reason.hasSuffix(".") ? "" : ".") Press r to try again.")
  }
}

extension HistoryList.State {
  mutating func apply(_ request: HistoryList.Request) {
    switch request {
    case .follow(let id): followed.formSymmetricDifference([id])
    case .edited(let entry):
      if let index = entries.firstIndex(where: { $0.id == entry.id }) { entries[index] = entry }
    case .stop: if status == .loading { status = .note("Cancelled. Press r to try again.") }
    case .notice(let text): notice = text
    case .followed(let ids): followed = ids
    case .reload, .more: break
    }
  }
}
