/// A few messages, sent one by one, and the events that `trace` reports for them.
enum TraceScene: String, CaseIterable, Sendable {
  case carriedOut, waits, waitsForOneOfTwo, supersedes, joins, joinedAndLeft, isFresh, isInvalidated
  case isDebounced, isThrottled, isCancelledInFlight, isCancelledBeforeItsTurn,
    isCancelledWithItsBag
  case refusesNew, dropsOld, dropsWaiting, wouldWaitForItself, isDispatchedByHand, isRestored
  case triesAgain, isLate

  /// The events, with messages numbered from 0 in the order sent; "by" precedes the cause.
  var told: [String] {
    let first = ["0 sent", "0 started"]
    let end0 = ["0 changed", "0 ended: carriedOut"]
    let end1 = ["1 changed", "1 ended: carriedOut"]
    switch self {
    case .carriedOut: return first + end0
    case .waits: return first + ["1 sent", "1 waiting"] + end0 + ["1 started"] + end1
    case .waitsForOneOfTwo:
      return first + ["1 sent", "1 started", "2 sent", "2 waiting"] + end1
        + ["2 started", "2 changed", "2 ended: carriedOut"] + end0
    case .supersedes:
      return first + ["1 sent", "0 ended: superseded by 1", "1 started"] + end1
    case .joins: return first + ["1 sent", "1 joined by 0"] + end0
    case .joinedAndLeft: return first + ["1 sent", "1 joined by 0"] + end0
    case .isFresh: return first + end0 + ["1 sent", "1 ended: fresh"]
    case .isInvalidated:
      return first + ["1 sent", "0 ended: superseded by 1", "1 started"] + end1
    case .isDebounced:
      return ["0 sent", "0 waiting", "1 sent", "1 waiting", "0 ended: dropped by 1", "1 started"]
        + end1
    case .isThrottled:
      return first + end0
        + ["1 sent", "1 waiting", "2 sent", "2 waiting", "1 ended: dropped by 2", "2 started"]
        + ["2 changed", "2 ended: carriedOut"]
    case .isCancelledInFlight:
      return first + ["1 sent", "1 waiting", "0 ended: superseded", "1 ended: dropped"]
    case .isCancelledBeforeItsTurn:
      return first + ["1 sent by 0"] + end0 + ["1 ended: dropped"]
    case .isCancelledWithItsBag: return first + ["0 ended: superseded"]
    case .refusesNew:
      return first + ["1 sent by 0", "2 sent by 0", "2 ended: dropped"] + end0 + ["1 started"]
        + end1
    case .dropsOld:
      return first + ["1 sent by 0", "2 sent by 0", "1 ended: dropped"] + end0
        + ["2 started", "2 changed", "2 ended: carriedOut"]
    case .dropsWaiting:
      return first + ["1 sent", "1 waiting", "2 sent", "2 waiting", "1 ended: dropped"] + end0
        + ["2 started", "2 changed", "2 ended: carriedOut"]
    case .wouldWaitForItself: return first + ["1 sent by 0", "1 ended: deadlock"] + end0
    case .isDispatchedByHand: return ["- changed"]
    case .isRestored: return ["- changed: restored"]
    case .triesAgain: return first + ["0 retrying", "0 retrying"] + end0
    case .isLate: return first + ["0 timed out"] + end0
    }
  }

  /// The seconds on the holder's clock at which the events happen, or `nil` if all happen at 0.
  var seconds: [Int]? {
    switch self {
    case .isFresh: [0, 0, 0, 0, 1, 1]
    case .isDebounced: [0, 0, 1, 1, 1, 3, 3, 3]
    case .isThrottled: [0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2]
    case .triesAgain: [0, 0, 0, 2, 6, 6]
    case .isLate: [0, 0, 5, 5, 5]
    default: nil
    }
  }
}

/// The exact events of each kind, for opticles and for binders.
@Suite struct TraceSceneTests {
  private struct Refused: Error {}

  @Test(
    "O21: an opticle's trace has exactly the expected events, in order, at the expected times",
    arguments: TraceScene.allCases)
  func opticle(scene: TraceScene) async { await check(scene, OpticleStage.self) }

  @Test(
    "O21: a binder's trace has exactly the expected events, in order, at the expected times",
    arguments: TraceScene.allCases)
  func binder(scene: TraceScene) async { await check(scene, BinderStage.self) }

  private func check<Holder: Stage>(_ scene: TraceScene, _: Holder.Type) async {
    await exploreContract(seeds: 100, allowing: [.noChoice]) {
      let (bag, events, clock) = (TaskBag(), Log<TraceEvent>(), TestClock())
      let mailbox: MailboxPolicy =
        switch scene {
        case .refusesNew: .oldest(1)
        case .dropsOld, .dropsWaiting: .newest(1)
        default: .unbounded
        }
      let holder = Holder(mailbox, clock: clock)
      holder.trace(in: bag) { events.append($0) }
      try await play(scene, on: holder, clock)
      await untilIdle()
      let told = events.all.numbered.map { line in
        // Opticles and binders have different names for a change.
        line.contains("changed: ") && !line.hasSuffix("restored")
          ? String(line.prefix { $0 != ":" }) : line
      }
      try hold(told == scene.told, "\(scene): \(told)")
      let times = events.all.map(\.time.components.seconds)
      let expected = scene.seconds ?? Array(repeating: 0, count: told.count)
      try hold(times == expected.map(Int64.init), "\(scene): \(times)")
      withExtendedLifetime(holder) {}
    }
  }

  private func play<Holder: Stage>(
    _ scene: TraceScene, on holder: Holder, _ clock: TestClock
  ) async throws {
    let (gate, other) = (Gate(), Gate())
    let wait: @Sendable (isolated Holder) async -> Void = { _ in await gate.wait() }
    /// Sends a message, and lets it proceed as far as it can.
    func send(
      _ id: Int, _ policy: DispatchPolicy,
      _ work: @escaping @Sendable (isolated Holder) async -> Void = { _ in }
    ) async {
      holder.send(id, policy, work)
      await untilIdle()
    }
    switch scene {
    case .carriedOut: await send(0, .concurrent)
    case .waits:
      await send(0, .serial("s"), wait)
      await send(1, .serial("s"))
      gate.open()
    case .waitsForOneOfTwo:
      await send(0, .serial("s", atMost: 2), wait)
      await send(1, .serial("s", atMost: 2)) { _ in await other.wait() }
      await send(2, .serial("s", atMost: 2))
      other.open()
      await untilIdle()
      gate.open()
    case .supersedes:
      await send(0, .latest("l"), wait)
      await send(1, .latest("l"))
      gate.open()
    case .joins:
      await send(0, .exclusive("e"), wait)
      await send(1, .exclusive("e"))
      gate.open()
    case .joinedAndLeft:
      await send(0, .exclusive("e"), wait)
      let caller = Task {
        await holder.perform(StageMessage(id: 1, policy: .exclusive("e")) { _ in })
      }
      await untilIdle()
      caller.cancel()
      let outcome = await caller.value
      try hold(outcome == .callerCancelled, "\(outcome)")
      gate.open()
    case .isFresh:
      await send(0, .exclusive("f", freshFor: .seconds(9)))
      try await clock.sleep(for: .seconds(1))
      await send(1, .exclusive("f", freshFor: .seconds(9)))
    case .isInvalidated:
      await send(0, .exclusive("e"), wait)
      holder.invalidate("e")
      await send(1, .exclusive("e"))
      gate.open()
    case .isDebounced:
      await send(0, .debounced("d", for: .seconds(2)))
      try await clock.sleep(for: .seconds(1))
      await send(1, .debounced("d", for: .seconds(2)))
      try await clock.sleep(for: .seconds(9))
    case .isThrottled:
      await send(0, .throttled("t", for: .seconds(2)))
      try await clock.sleep(for: .seconds(1))
      await send(1, .throttled("t", for: .seconds(2)))
      await send(2, .throttled("t", for: .seconds(2)))
      try await clock.sleep(for: .seconds(9))
    case .isCancelledInFlight:
      await send(0, .serial("s"), wait)
      await send(1, .serial("s"))
      holder.cancel("s")
      await untilIdle()
      gate.open()
    case .isCancelledBeforeItsTurn:
      await send(0, .concurrent) { holder in
        holder.send(1, .latest("l"))
        holder.cancel("l")
      }
    case .isCancelledWithItsBag:
      await send(0, .concurrent, wait)
      holder.knot.bag.cancel()
      gate.open()
    case .refusesNew, .dropsOld:
      // Sends two messages while the holder is busy and cannot read its mailbox.
      holder.send(0, .concurrent) { holder in
        holder.send(1)
        holder.send(2)
      }
    case .dropsWaiting:
      await send(0, .serial("s"), wait)
      await send(1, .serial("s"))
      await send(2, .serial("s"))
      gate.open()
    case .wouldWaitForItself:
      await send(0, .serial("s")) { holder in
        await holder.perform(StageMessage(id: 1, policy: .serial("s")) { _ in })
      }
    case .isDispatchedByHand:
      await holder.dispatch(StageMessage(id: 0, policy: .concurrent) { _ in })
    case .isRestored: await holder.restore(holder.state)
    case .triesAgain:
      await send(0, .concurrent) { holder in
        let failures = Shared(0)
        let policy = RetryPolicy(attempts: 3) { failures, _ in .seconds(2 * failures) }
        try? await holder.retry(policy) {
          failures.value += 1
          if failures.value < 3 { throw Refused() }
        }
      }
      try await clock.sleep(for: .seconds(30))
    case .isLate:
      await send(0, .concurrent) { holder in
        try? await holder.withTimeout(.seconds(5)) { try await clock.sleep(for: .seconds(9)) }
      }
      try await clock.sleep(for: .seconds(30))
    }
  }
}

extension [TraceEvent] {
  /// One line for each event.
  ///
  /// Messages are numbered from 0, because other tests also use up ids.
  var numbered: [String] {
    var numbers: [Int: Int] = [:]
    for case let id? in map(\.message?.id) where numbers[id] == nil { numbers[id] = numbers.count }
    return map { event in
      let number = { (message: TraceEvent.Message) in (numbers[message.id] ?? -1).description }
      let cause = event.cause.map { " by \(number($0))" } ?? ""
      return "\(event.message.map(number) ?? "-") \(event.kind.name)\(cause)"
    }
  }
}
