import AsyncDiff
import AsyncKnot

/// The last state that is on the screen.
actor ShownFeed: StateActor { let knot = Knot<FeedState?>(nil) }

/// Holds the feed. What happens to items is piped into it, and every state of it is shown.
actor FeedStore: StateActor {
  let knot: Knot<FeedState>
  let shown = ShownFeed()

  init(_ state: FeedState) {
    knot = Knot(state)
  }

  /// Ties the store to a data source until one of the two goes.
  func connect(to source: DiffableDataSource<FeedSection>) {
    source.events(of: Article.self).pipe(to: self, in: knot.bag) { $1.handle($0) }
    source.events(of: Poll.self).pipe(to: self, in: knot.bag) { $1.handle($0) }
    source.events(of: Banner.self).pipe(to: self, in: knot.bag) { $1.handle($0) }
    source.reorders.pipe(to: self, in: knot.bag) { $1.handle($0) }
    // A pipe does not tell what it has shown, and an equal snapshot may be there before: the order of a drag.
    let (states, shown) = (states, shown)
    knot.bag.add {
      for await state in states {
        _ = try? await source.apply(state.snapshot)
        await shown.reduce { $0 = state }
      }
    }
  }
}
