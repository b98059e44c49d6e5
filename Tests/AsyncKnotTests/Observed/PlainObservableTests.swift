import Observation

/// Shows, for each claim of the article *From plain @Observable*, what a plain model does and how AsyncKnot differs.
@MainActor @Suite struct PlainObservableTests {
  @Test(
    "S19: only the changed nested property is invalidated, but in a plain model the whole value is"
  )
  func nestedProperties() {
    let (model, view, plain, ours) = (Plain(), ProfileView(), Invalidations(), Invalidations())
    let profile = Observed(view)
    plain.track { _ = model.user.name }
    ours.track { _ = profile[\.user.name] }
    model.user.age = 1
    view.reduce { $0.user.age = 1 }
    #expect((plain.count, ours.count) == (1, 0))
  }

  @Test("S19: only the changed row is invalidated, but in a plain model all rows are")
  func rows() {
    let (model, view, plain, ours) = (Plain(), ProfileView(), Invalidations(), Invalidations())
    let profile = Observed(view)
    plain.track { _ = model.rows[0] }
    ours.track { _ = profile[\.rows, at: 0] }
    model.rows[1] = 7
    view.reduce { $0.rows[1] = 7 }
    #expect((plain.count, ours.count) == (1, 0))
  }

  @Test(
    "S23: unlike a computed property, Derived computes once for each change and ignores equal results"
  )
  func computedValues() async {
    let (model, view, plain, ours) = (Plain(), ProfileView(), Invalidations(), Invalidations())
    let computed = Log<Int>()
    let isLarge = Observed(
      Derived(from: view) { state in
        computed.append(state.count)
        return state.count > 100
      })
    plain.track { _ = model.isLarge }
    ours.track { _ = isLarge.state }
    model.count = 1
    view.reduce { $0.count = 1 }
    await waitWhile(computed.all.last != 1)
    _ = (model.isLarge, model.isLarge, isLarge.state, isLarge.state)
    #expect((plain.count, ours.count) == (1, 0))
    #expect((model.computations, computed.all) == (3, [0, 1]))
  }

  @Test(
    "S7: a buffering observer sees every state, but Observations skips states between two waits"
  )
  func everyState() async {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let (model, view) = (Plain(), ProfileView())
    var plain = Observations({ model.count }).makeAsyncIterator()
    var ours = view.states(buffering: .unbounded).makeAsyncIterator()
    var seen: (plain: [Int?], ours: [Int?]) = ([], [])
    seen.plain.append(await plain.next(isolation: MainActor.shared))
    seen.ours.append(await ours.next(isolation: MainActor.shared)?.count)
    let writer = Task {
      for count in 1...3 {
        model.count = count
        view.reduce { $0.count = count }
      }
    }
    seen.plain.append(await plain.next(isolation: MainActor.shared))
    for _ in 1...3 { seen.ours.append(await ours.next(isolation: MainActor.shared)?.count) }
    await writer.value
    #expect(seen.plain == [0, 3])
    #expect(seen.ours == [0, 1, 2, 3])
  }

  @Test(
    "S4: a state can be read synchronously outside its actor, but a plain model must be awaited"
  )
  func readsFromOutside() async {
    let (node, model) = (ProfileNode(), Plain())
    await node.reduce { $0.count = 5 }
    let fromOutside = Shared(0)
    let thread = Task.detached { fromOutside.value = node.state.count }
    // This loop keeps the main actor busy until the other task has read.
    while fromOutside.value == 0 {}
    await thread.value
    #expect(fromOutside.value == 5)
    let awaited = Task.detached { await model.count }
    #expect(await awaited.value == 0)
  }

  @Test("S1: a check and its write are one step, but in a plain model an await can separate them")
  func checkThenWrite() async {
    let (model, node, gate) = (Plain(), ProfileNode(), Gate())
    let plain = (0..<2).map { _ in Task { await model.buyIfNone(at: gate) } }
    await gate.hasArrived(2)
    gate.open()
    for task in plain { await task.value }
    await withDiscardingTaskGroup { group in
      for _ in 0..<2 { group.addTask { await node.reduce { if $0.count == 0 { $0.count += 1 } } } }
    }
    #expect((model.count, node.state.count) == (2, 1))
  }
}

@MainActor @Observable private final class Plain {
  var user = Profile.User()
  var rows = [0, 0, 0]
  var count = 0
  @ObservationIgnored var computations = 0

  var isLarge: Bool {
    computations += 1
    return count > 100
  }

  func buyIfNone(at gate: Gate) async {
    guard count == 0 else { return }
    await gate.wait()
    count += 1
  }
}
