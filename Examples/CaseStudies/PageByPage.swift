import AsyncKnotTesting
import AsyncOptical

private struct Page: Sendable { let posts: [Int], next: Int? }

/// Rows come page by page. Each page is asked for once, and a page of before a reload does not
/// count.
private actor Posts: Opticle {
  struct State: Sendable, Equatable { var posts: [Int] = [], next: Int? = 0 }
  enum Request: Sendable { case reload, more }
  enum Response: Sendable { case first(Page), page(Page, at: Int) }

  let knot = Knot(State())
  let page: @Sendable (Int) async throws -> Page

  init(page: @escaping @Sendable (Int) async throws -> Page) { self.page = page }

  func dispatch(_ request: Request) async {
    switch request {
    case .reload: await load(from: request) { .first(try await page(0)) }
    case .more:
      guard let next = state.next else { return }
      await load(from: request) { .page(try await page(next), at: next) }
    }
  }
  func mutate(_ state: inout State, response: Response) {
    switch response {
    case .first(let page): state = State(posts: page.posts, next: page.next)
    case .page(let page, at: let place):
      guard place == state.next else { return }
      state = State(posts: state.posts + page.posts, next: page.next)
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

@Test func noPageIsMissingOrThereTwice() async {
  await explore(seeds: 500) {
    let posts = Posts { place in
      await Task.yield()
      return Page(posts: [place, place + 1], next: place < 8 ? place + 2 : nil)
    }
    for request in [Posts.Request.more, .more, .reload, .more, .more] {
      posts.send(request)
      await Task.yield()
    }
    await untilIdle()
    #expect(posts.state.posts == Array(0..<posts.state.posts.count))
  }
}
