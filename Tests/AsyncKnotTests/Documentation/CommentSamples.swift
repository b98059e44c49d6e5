import AsyncKnot

// The samples of the documentation comments: compiled, and not run.

private enum Holders {
  struct Profile: KnotState {
    var title = "-"
    static func defaultState() -> Profile { Profile() }
  }

  struct SessionState: Sendable { var user = "" }

  actor Session: StateActor {
    let knot = Knot(SessionState())
  }

  actor Thermometer: StateSource {
    let session: Session
    nonisolated var knot: Knot<SessionState> { session.knot }
    init(of session: Session) { self.session = session }
  }

  actor Node: Knotable {
    struct State: KnotState {
      var count = 0, limit = 9
      var title = "-", url = ""
      static func defaultState() -> State { State() }
    }
    let knot = Knot<State>()
    func update(_ state: State) {}
    func log(_ title: String) { print(title) }
    func draw(_ state: State) { print(state) }
  }

  @MainActor final class View: KnotableView {
    nonisolated let knot = Knot<Node.State>()
    func update(_ state: Node.State) {}
    func log(_ title: String) { print(title) }
  }
}

private struct Tap: Sendable { let row: Int }

private typealias Taps = EventSequence<Tap>

private func events(in channel: EventChannel<String>, open: (Int) -> Void) async {
  let taps = EventChannel<Tap>()
  let subscription = taps.subscribe()
  taps.send(Tap(row: 3))
  for await tap in subscription { open(tap.row) }

  for await event in channel.subscribe() { print(event) }

  for await tick in AsyncInterval(every: .milliseconds(100), after: .seconds(1)) { print(tick) }
}

private func observing(_ node: Holders.Node, _ session: Holders.Session) async {
  for await state in node.states { print(state.title) }

  for await state in node.states(buffering: .unbounded) { print(state) }  // misses none

  func show(_ state: Holders.SessionState, _ other: Holders.Node.State) {}
  let shop = node
  for await (user, cart) in states(of: session, shop) { show(user, cart) }
}

private func handling(
  _ node: Holders.Node, _ view: Holders.View, _ ticks: EventSequence<Int>
) async {
  do {
    let observation = await node.observe { node, state in node.draw(state) }
    await ticks.pipe(to: node) { tick, state in state.count = tick }  // each count is drawn
    observation.cancel()
  }
  do {
    let observation = await node.observe { node, state in node.log(state.title) }
    observation.cancel()
  }
  await MainActor.run {
    let observation = view.observe { view, state in view.log(state.title) }
    observation.cancel()
  }
}

private func combining(
  _ taps: Taps, _ ticks: EventSequence<Int>, _ node: Holders.Node, open: (String) -> Void
) async {
  let early = ticks.filter(with: node) { tick, state in tick < state.limit }
  for await tick in early { print(tick) }

  for await state in taps.state(from: node) { open(state.url) }
}

private func piping(
  _ events: EventChannel<Tap>, _ ticks: EventSequence<Int>, to node: Holders.Node
) async {
  let taps = events.subscribe()
  await ticks.pipe(to: node) { tick, state in state.count = tick }

  ticks.pipe(to: node, in: node.bag) { tick, state in state.count = tick }

  taps.filter(with: node) { _, state in state.count < 20 }
    .pipe(to: node, in: node.bag) { _, state in state.count += 1 }  // never beyond 20

  do {
    let bag = TaskBag()
    ticks.pipe(to: node, in: bag) { tick, state in state.count = tick }
    bag.cancel()  // the bag stays usable
  }
  do {
    let bag = TaskBag()
    events.finish()
    await bag.wait()  // what the pipes of the bag had still to reduce is reduced
  }
}

extension Holders.Node {
  private func consume(_ iterator: inout EventSequence<Int>.AsyncIterator) async {
    func handle(_ event: Int) {}
    var slice = Slice()
    while let event = await iterator.next(isolation: self) {
      handle(event)
      if slice.isOver() { await Slice.giveWay() }
    }
  }
}
