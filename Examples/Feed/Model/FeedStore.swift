import AsyncDiff
import AsyncKnot

/// The last state on the screen.
actor ShownFeed: StateActor { let knot = Knot<FeedState?>(nil) }

/// Holds the feed. Events of items are piped into it, and every state is shown.
actor FeedStore: StateActor {
  let knot: Knot<FeedState>
  let shown = ShownFeed()

  init(_ state: FeedState) {
    knot = Knot(state)
  }

  /// Connects the store to a data source until either is released.
  func connect(to source: DiffableDataSource<FeedSection>) {
    source.events(of: Article.self).pipe(to: self, in: knot.bag) { $1.handle($0) }
    source.events(of: Poll.self).pipe(to: self, in: knot.bag) { $1.handle($0) }
    source.events(of: Banner.self).pipe(to: self, in: knot.bag) { $1.handle($0) }
    source.reorders.pipe(to: self, in: knot.bag) { $1.handle($0) }
    // No pipe, because it does not report which states are shown; after a drag, an equal one may already be shown.
    let (states, shown) = (states, shown)
    knot.bag.add {
      for await state in states {
        _ = try? await source.apply(state.snapshot)
        await shown.reduce { $0 = state }
      }
    }
  }
}
