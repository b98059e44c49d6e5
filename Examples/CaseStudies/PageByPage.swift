import AsyncKnotTesting
import AsyncOptical
import Synchronization

private struct Page: Sendable { let posts: [Int], next: Int? }

/// A list that loads each page once.
///
/// A page that was requested before a reload is dropped.
private actor Posts: Opticle {
  struct State: Sendable, Equatable { var posts: [Int] = [], end = End() }
  struct End: Sendable, Hashable { var list = 0, next: Int? }
  enum Request: Sendable { case reload, more(after: End) }
  enum Response: Sendable { case first(Page), page(Page, at: End) }

  let knot = Knot(State())
  let page: @Sendable (Int) async throws -> Page

  init(page: @escaping @Sendable (Int) async throws -> Page) { self.page = page }

  func dispatch(_ request: Request) async {
    switch request {
    case .reload: await load(from: request) { .first(try await page(0)) }
    case .more(let end):
      guard end == state.end, let index = end.next else { return }
      await load(from: request) { .page(try await page(index), at: end) }
    }
  }
  func mutate(_ state: inout State, response: Response) {
    switch response {
    case .first(let page):
      state = State(posts: page.posts, end: End(list: state.end.list + 1, next: page.next))
    case .page(let page, at: state.end):
      (state.posts, state.end.next) = (state.posts + page.posts, page.next)
    case .page: break
    }
  }
  func recover(_ state: inout State, request: Request, error: any Error) {}
  nonisolated func policy(for request: Request) -> DispatchPolicy {
    switch request {
    case .reload: .latest("reload")
    case .more(let end): .exclusive(end)
    }
  }
}

@Test func eachPageAppearsOnceAndBelongsToTheList() async {
  await explore(seeds: 500) {
    let lists = Atomic(0), asked = Mutex<[Int]>([])
    let posts = Posts { index in
      let list = lists.add(index == 0 ? 1 : 0, ordering: .relaxed).newValue
      asked.withLock { $0.append(index) }
      await Task.yield()
      let post = list * 100 + index
      return Page(posts: [post, post + 1], next: index < 8 ? index + 2 : nil)
    }
    await posts.perform(.reload)
    for _ in 0..<2 {
      posts.send(.more(after: posts.state.end))
      await Task.yield()
    }
    await posts.perform(.reload)
    await posts.perform(.more(after: posts.state.end))
    #expect(posts.state.posts == [200, 201, 202, 203])
    await untilIdle()
    #expect(posts.state.posts == [200, 201, 202, 203])
    asked.withLock { $0 = [] }
    for _ in 0..<4 {  // the last page has no next one
      let more = Posts.Request.more(after: posts.state.end)
      posts.send(more)
      await Task.yield()
      await posts.perform(more)
    }
    #expect(posts.state.posts == Array(200..<210))
    #expect(asked.withLock { $0 } == [4, 6, 8])
  }
}
