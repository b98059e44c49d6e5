import AsyncDiff
import AsyncKnot

/// Holds the feed. What happens to items is piped into it, and every state of it is shown.
actor FeedStore: StateActor {
  let knot: Knot<FeedState>

  init(_ state: FeedState) {
    knot = Knot(state)
  }

  /// Ties the store to a data source until one of the two goes.
  func connect(to source: DiffableDataSource<FeedSection>) {
    source.events(of: Article.self).pipe(to: self, in: knot.bag) { $1.handle($0) }
    source.events(of: Poll.self).pipe(to: self, in: knot.bag) { $1.handle($0) }
    source.events(of: Banner.self).pipe(to: self, in: knot.bag) { $1.handle($0) }
    source.reorders.pipe(to: self, in: knot.bag) { $1.handle($0) }
    states.pipe(to: source, in: knot.bag) { $0.snapshot }
  }
}
