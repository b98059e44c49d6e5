import AsyncKnot
import Testing

@Suite struct NodeTests {
  @Test(
    "Main-actor code can call sink, reduce, consume and render of an actor node, and the node's hooks run"
  )
  func node() async {
    let node = ProfileNode()
    var layouts = node.laidOut.subscribe().makeAsyncIterator()
    await node.render()
    #expect(await layouts.next() == 0)
    await node.sink(.init(title: "a", count: 1))
    let count = await node.reduce { state in
      state.count += 1
      return state.count
    }
    #expect(count == 2)
    await node.consume(numbers([3, 4])) { number, state in state.count = number }
    #expect(await node.updates == [0, 1, 2, 3, 4])
    #expect(node.state == .init(title: "a", count: 4))
  }

  @Test(
    "Writing the state of an unannotated view needs no await, calls update in the turn, and queues layout"
  )
  func view() async {
    let view = ProfileView()
    var layouts = view.laidOut.subscribe().makeAsyncIterator()
    view.render()
    #expect(view.updates == [0])
    view.sink(.init(title: "a", count: 1))
    let title = view.reduce { state in
      state.count += 1
      return state.title
    }
    #expect(title == "a")
    #expect(view.updates == [0, 1, 2])
    #expect(await layouts.next() == 0)
    #expect(await layouts.next() == 2)
    await view.consume(numbers([3, 4])) { number, state in state.count = number }
    #expect(view.updates == [0, 1, 2, 3, 4])
  }

  @Test("A view's handler may read and write main-actor state")
  func observe() {
    let view = ProfileView()
    let bag = TaskBag()
    var seen: [Int] = []
    view.observe(in: bag) { view, state in
      seen.append(state.count)
      #expect(view.updates.last == state.count)
    }
    view.reduce { $0.count = 1 }
    view.reduce { $0.count = 2 }
    bag.cancel()
    view.reduce { $0.count = 3 }
    #expect(seen == [1, 2])
  }

  @Test("A handler of an actor node is isolated to the node")
  func observeNode() async {
    let node = ProfileNode()
    let told = EventChannel<Int>()
    var events = told.subscribe().makeAsyncIterator()
    await node.observe(in: node.knot.bag) { node, state in
      told.send(node.updates.count * 10 + state.count)
    }
    await node.reduce { $0.count = 5 }
    #expect(await events.next() == 15)
  }

  @Test("A holder without hooks can reduce and consume")
  func plainHolder() async {
    let session = Session()
    let doubled = await session.reduce { state in
      state *= 2
      return state
    }
    #expect(doubled == 14)
    await session.consume(numbers([1, 2])) { number, state in state += number }
    #expect(session.state == 17)
  }
}
