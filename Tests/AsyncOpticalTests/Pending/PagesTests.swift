/// A service that has a new list after each reload.
///
/// A row is 100 times the number of its list, plus the row's index. Cursors are indices.
private actor PageService {
  struct Page: Sendable { var rows: [Int], next: Int? }

  private var lists = 0

  func first() -> Page {
    lists += 1
    return page(at: 0, of: lists)
  }

  /// Returns a page of `list` even if the service has a newer list, because this test ignores changes between two pages.
  func page(at index: Int, of list: Int) -> Page {
    let row = list * 100 + index
    return Page(rows: [row, row + 1], next: index < 6 ? index + 2 : nil)
  }
}

/// The list of the article *Load a list page by page*.
private actor Pages: Opticle {
  struct End: Sendable, Equatable { var list = 0, next: Int? }
  struct State: Sendable, Equatable { var rows: [Int] = [], end = End(), isLoading = false }
  enum Request: Sendable { case reload, more }
  enum Response: Sendable { case loading, first(PageService.Page), page(PageService.Page, at: End) }

  let knot = Knot(State())
  private let service = PageService()

  func dispatch(_ request: Request) async {
    switch request {
    case .reload: await load(from: request, showing: .loading) { .first(await service.first()) }
    case .more:
      let (end, list) = (state.end, (state.rows.first ?? 0) / 100)
      guard let next = end.next else { return }
      await load(from: request, showing: .loading) {
        .page(await service.page(at: next, of: list), at: end)
      }
    }
  }

  func mutate(_ state: inout State, response: Response) {
    switch response {
    case .loading: state.isLoading = true
    case .first(let page):
      (state.rows, state.end) = (page.rows, End(list: state.end.list + 1, next: page.next))
    case .page(let page, at: state.end):
      (state.rows, state.end.next) = (state.rows + page.rows, page.next)
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
  @Test("O15, O16: after concurrent reloads and pages, the rows are those of one list, in order")
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
