import AsyncKnot
import AsyncKnotTesting
import AsyncOptical
import TestSupport
import Testing

/// What the articles show of the feed.
@Suite struct FeedSamples {
  @Test("loading shows the titles")
  func loading() async {
    let probe = OpticleProbe(Feed(service: FeedService { ["a", "b"] }))
    probe.send(.load)
    await probe.expect { $0.titles = ["a", "b"] }
    probe.send(.clear)
    await probe.expect { $0.titles = [] }
    await probe.finish()
  }

  @Test("a failure is a message")
  func failure() async {
    let probe = OpticleProbe(Feed(service: FeedService { throw Broken() }))
    probe.send(.load)
    let transition = await probe.expect { $0.message = "Broken()" }
    #expect(transition?.before.message == "")
    await probe.finish()
  }

  @Test("the older of two answers is not shown")
  func latest() async {
    await explore(seeds: 100) {
      let calls = Log<Int>()
      let gate = Gate()
      let service = FeedService {
        calls.append(calls.all.count)
        if calls.all.count == 1 { await gate.wait() }
        return ["\(calls.all.count)"]
      }
      let probe = OpticleProbe(Feed(service: service))
      probe.send(.load)
      await untilIdle()
      probe.send(.load)
      await probe.expect { $0.titles = ["2"] }
      gate.open()
      await probe.finish()
    }
  }

  @Test("watching, as the overview says")
  @MainActor func watching() async {
    let feed = Feed(service: FeedService { ["a", "b"] })
    let bag = TaskBag()
    var shown: [[String]] = []
    let control = feed.watch.map(\.titles).filter { $0.count > 1 }.live(in: bag) { titles in
      shown.append(titles)
    }
    feed.send(.load)
    while shown.isEmpty { await Task.yield() }
    control.pause()
    control.resume()
    #expect(shown.first == ["a", "b"])
  }

  @Test("going back and forth, as the overview says")
  func undo() async {
    let feed = Feed(service: FeedService { ["a", "b"] })
    let history = UndoHistory(of: feed)
    await feed.dispatch(.load)
    await feed.undo(history)
    #expect(feed.state.titles == [])
    await feed.redo(history)
    #expect(feed.state.titles == ["a", "b"])
  }
}
