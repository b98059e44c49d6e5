import AsyncDiff
import AsyncKnot

/// Holds the state that the screen currently shows.
actor ShownFeed: StateActor { let knot = Knot<FeedState?>(nil) }

/// Holds the feed.
///
/// Pipes deliver the events of items and the drags to the store, and a task shows the newest state of the store.
actor FeedStore: StateActor {
  let knot: Knot<FeedState>
  let shown = ShownFeed()

  init(_ state: FeedState) {
    knot = Knot(state)
  }

  /// Connects the store to a data source, which the store keeps alive.
  func connect(to source: DiffableDataSource<FeedSection>) {
    source.events(of: Article.self).pipe(to: self, in: knot.bag) { $1.handle($0) }
    source.events(of: Poll.self).pipe(to: self, in: knot.bag) { $1.handle($0) }
    source.events(of: Banner.self).pipe(to: self, in: knot.bag) { $1.handle($0) }
    source.reorders.pipe(to: self, in: knot.bag) { $1.handle($0) }
    // A loop, unlike a pipe, can record which states are shown. `source.snapshots` cannot replace the loop, because the data
    // source does not report a snapshot that is already shown, as after a drag.
    let (states, shown) = (states, shown)
    knot.bag.add {
      for await state in states {
        _ = try? await source.apply(state.snapshot)
        await shown.reduce { $0 = state }
      }
    }
  }
}
