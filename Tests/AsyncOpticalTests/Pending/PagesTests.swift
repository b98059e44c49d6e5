/// Has another list after each reload: rows and cursors of one list have its number as hundreds.
private actor PageService {
  struct Page: Sendable { var rows: [Int], next: Int? }

  private var list = 0

  func first() -> Page {
    list += 1
    return page(at: list * 100)
  }

  func page(at cursor: Int) -> Page {
    Page(rows: [cursor, cursor + 1], next: cursor % 100 < 6 ? cursor + 2 : nil)
  }
}

/// The list of the article *Load a list page by page*.
private actor Pages: Opticle {
  struct State: Sendable, Equatable { var rows: [Int] = [], next: Int?, isLoading = false }
  enum Request: Sendable { case reload, more }
  enum Response: Sendable { case loading, first(PageService.Page), page(PageService.Page, at: Int) }

  let knot = Knot(State())
  private let service = PageService()

  func dispatch(_ request: Request) async {
    switch request {
    case .reload: await commit(from: request, showing: .loading) { .first(await service.first()) }
    case .more:
      guard let next = state.next else { return }
      await commit(from: request, showing: .loading) {
        .page(await service.page(at: next), at: next)
      }
    }
  }

  func mutate(_ state: inout State, response: Response) {
    switch response {
    case .loading: state.isLoading = true
    case .first(let page): (state.rows, state.next) = (page.rows, page.next)
    case .page(let page, at: state.next):
      (state.rows, state.next) = (state.rows + page.rows, page.next)
    case .page: break
    }
  }

  func recover(_ state: inout State, request: Request, error: any Error) {}

  nonisolated func policy(for request: Request) -> DispatchPolicy {
    switch request {
    case .reload: .latest("reload")
    case .more: .exclusive("more")
    }
  }
}

@Suite struct PagesTests {
  @Test("O15, O16: whatever reloads and pages come at once, the rows are one list's, in order")
  func pages() async {
    await exploreContract(seeds: 2_000) {
      let pages = Pages()
      await pages.perform(.reload)
      await withDiscardingTaskGroup { group in
        for request: Pages.Request in [.more, .reload, .more, .reload, .more] {
          group.addTask { await pages.perform(request) }
        }
      }
      await untilIdle()
      let state = pages.state
      let first = try #require(state.rows.first)
      let expected = Array(first..<first + state.rows.count)
      try hold(first % 100 == 0 && state.rows == expected, "\(state)")
      try hold(!state.isLoading, "\(state)")
      sometimes("a page follows a reload", state.rows.count > 2)
    }
  }
}
