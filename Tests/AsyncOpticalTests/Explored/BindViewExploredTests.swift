/// The binding of views to their binders, over thousands of schedules for each test.
///
/// The seed determines the order in which the binders, their senders and the views' own tasks run.
@Suite struct BindViewExploredTests {
  /// An event of a view.
  private enum Event: Equatable, Sendable {
    case bound(Int)
    case state(Int)
    case command(Int)
    case rendered(Int, count: Int)
  }

  /// A cell that numbers its binders, and sends the user's taps as commands.
  @MainActor private final class Cell: BindCell {
    let binding = ViewBinding<Counter>()
    let binders: [Counter]
    var events: [Event] = []
    nonisolated let rendered = EventChannel<Event>()
    nonisolated let taps = EventChannel<Int>()

    init(_ binders: [Counter]) { self.binders = binders }

    private func number(of binder: Counter) -> Int { binders.firstIndex { $0 === binder } ?? -1 }

    func bind(_ number: Int) {
      events.append(.bound(number))
      viewBinder = binders.indices.contains(number) ? binders[number] : nil
    }

    func state(viewBinder: Counter) {
      let number = number(of: viewBinder)
      events.append(.state(number))
      viewBinder.watch.map(\.count).live(with: self, in: binding.bag) { cell, count in
        cell.render(.rendered(number, count: count))
      }
    }

    private func render(_ event: Event) {
      events.append(event)
      rendered.send(event)
    }

    func command(viewBinder: Counter) {
      events.append(.command(number(of: viewBinder)))
      taps.subscribe().map { .add($0) }.send(to: viewBinder, in: binding.bag)
    }
  }

  /// Throws unless the view renders only the binder that is bound, and binds that binder's state before its commands (V2).
  private static func check(_ events: [Event]) throws {
    for binding in events.split(whereSeparator: { if case .bound = $0 { true } else { false } }) {
      let number = events[events.index(before: binding.startIndex)]
      var counts: [Int] = []
      for event in binding {
        switch event {
        case .state(let other), .command(let other), .rendered(let other, _):
          try hold(number == .bound(other), "\(event) after \(number) in \(events)")
        case .bound: break
        }
        if case .rendered(_, let count) = event { counts.append(count) }
      }
      try hold(counts == counts.sorted(), "\(counts) decreased in \(events)")
      let order = binding.filter { if case .rendered = $0 { false } else { true } }
      let calls = order.map { if case .state = $0 { 0 } else { 1 } }
      try hold(calls == [0, 1].prefix(calls.count).map { $0 }, "called \(order) in \(events)")
    }
  }

  @Test(
    "V2, VR9, VR11, OR16: the state is bound before the commands, and a previous binder is not rendered again",
    arguments: 0...1)
  func reuse(first: Int) async {
    await exploreContract(seeds: 5_000, patience: .seconds(60)) {
      let binders = [Counter(), Counter()]
      let cell = await Cell(binders)
      let rendered = cell.rendered.subscribe()
      await withDiscardingTaskGroup { group in
        for binder in binders {
          group.addTask {
            for _ in 0..<3 {
              binder.send(.add(1))
              await Task.yield()
            }
          }
        }
        group.addTask {
          await cell.bind(first)
          await Task.yield()
          await cell.bind(1 - first)
        }
      }
      for await event in rendered where event == .rendered(1 - first, count: 3) { break }
      await cell.bind(-1)
      for binder in binders { binder.send(.add(100)) }
      await untilIdle()
      try Self.check(await cell.events)
      let left = LifetimeProbe(binders[first]).registeredObservers
      try hold(left == 0, "\(left) observers of the previous binder are still registered")
    }
  }

  @Test("V2: neither a binding nor the task that sends the user's taps keeps the view alive")
  func lifetime() async {
    await exploreContract(patience: .seconds(60)) {
      let binder = Counter()
      var cell: Cell? = await Cell([binder])
      let probe = LifetimeProbe(cell!)
      async let sent: Void = {
        for _ in 0..<3 {
          binder.send(.add(1))
          await Task.yield()
        }
      }()
      await cell?.bind(0)
      cell?.taps.send(10)
      await untilIdle()
      cell = nil
      await sent
      await untilIdle()
      try hold(probe.isReleased, "the view is still alive")
      try hold(binder.state.count == 13, "the binder stopped at \(binder.state.count)")
    }
  }
}
