/// Generic code that knows only `StateHolder` calls the holder's own `reduce`.
@Suite struct GenericHolderTests {
  private func bump<Holder: Actor & StateHolder>(isolated holder: isolated Holder) async
  where Holder.State == Node.State {
    await holder.reduce { $0.count += 1 }
  }

  private func bump<Holder: StateHolder>(_ holder: Holder) async where Holder.State == Node.State {
    await holder.reduce { $0.count += 1 }
  }

  private func bump(any holder: any Actor & StateHolder<Node.State>) async {
    await holder.reduce { $0.count += 1 }
  }

  @Test("S12: update runs when generic code reduces a holder")
  func genericReduce() async {
    let node = Node()
    await bump(isolated: node)
    await bump(node)
    await bump(any: node)
    #expect(await node.updates.map(\.count) == [1, 2, 3])
  }

  @Test("S12: update runs when generic code makes a holder consume events")
  func genericConsume() async {
    func feed<Holder: StateHolder>(_ holder: Holder) async where Holder.State == Node.State {
      await Elements(elements: [1, 2]).pipe(to: holder) { $1.count = $0 }
    }
    let node = Node()
    await feed(node)
    #expect(await node.updates.map(\.count) == [1, 2])
  }

  @Test(
    "K17: an actor without hooks may have a state of any type, and is written synchronously"
  )
  func plainHolder() async {
    let session = Session()
    #expect(await session.raiseAndRead() == 9)
    await session.sink(3)
    #expect(session.state == 3)
  }
}

extension Session {
  fileprivate func raiseAndRead() -> Int {
    reduce { $0 += 2 }
    return state
  }
}
