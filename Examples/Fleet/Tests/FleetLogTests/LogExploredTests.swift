import AsyncDiff
import AsyncKnot
import ExploreWorld
import FleetLog
import Synchronization
import Testing

/// Explores two publishers of one log, two gateways that follow it, and a tab that switches between the gateways, while processes
/// crash, links break, and an older copy sometimes replaces the log.
@Suite struct LogExploredTests {
  /// A list that changes, and that survives a crash of its publisher.
  private actor Screen: StateActor {
    let knot: Knot<DiffableSnapshot<Rows>>
    init(_ snapshot: DiffableSnapshot<Rows>) { knot = Knot(snapshot) }
    func show(_ snapshot: DiffableSnapshot<Rows>) { reduce { $0 = snapshot } }
  }

  /// The number of seeds.
  ///
  /// A debug build tries only a tenth of the seeds, because it is about ten times slower.
  #if DEBUG
    private static let seeds = 1_000
  #else
    private static let seeds = 10_000
  #endif

  private static let last = Rows.list(1, 9)
  private static let lease = Duration.milliseconds(350)

  /// Collects the events and the violation that the processes of one run report.
  private final class Notes: Sendable {
    private let state = Mutex((events: [LogWriter<Rows>.Event](), violation: Violation?.none))
    var events: [LogWriter<Rows>.Event] { state.withLock { $0.events } }
    func note(_ event: LogWriter<Rows>.Event) { state.withLock { $0.events.append(event) } }
    func check() throws { if let violation = state.withLock({ $0.violation }) { throw violation } }

    /// Repeats a step until the process has ended or the step has reported a violation.
    func repeats(every pause: Duration, _ step: @Sendable () async throws -> Void) async {
      while !Task.isCancelled {
        do {
          try await step()
        } catch is FaultyLink.Lost {
        } catch is FaultyDisk.Gone {
        } catch is Gateway.Down {
        } catch is CancellationError {
        } catch {
          let violation = error as? Violation ?? Violation(description: "\(error)")
          return state.withLock { $0.violation = violation }
        }
        try? await Task.sleep(for: pause)
      }
    }
  }

  private typealias Publisher = FaultyProcess<Task<Void, any Error>>
  private typealias Gateway = FaultyProcess<SnapshotRelay<Rows>>

  private static func publisher(
    of screen: Screen, to engine: Engine, _ notes: Notes
  ) -> Publisher {
    let link = FaultyLink("publisher", timeout: .milliseconds(300))
    return FaultyProcess(on: FaultyDisk()) { life in
      let log = RemoteLog(engine: engine, life: life, link: link)
      let writer = LogWriter<Rows>(to: log, name: "A", lease: lease) { notes.note($0) }
      let task = Task { try await writer.run { screen.states } }
      life.task {
        await withTaskCancellationHandler {
          _ = await task.result
        } onCancel: {
          task.cancel()
        }
      }
      return task
    }
  }

  /// Creates a gateway that follows the log and checks that each shown list was written and that revisions never decrease.
  private static func gateway(to engine: Engine, _ notes: Notes) -> Gateway {
    let link = FaultyLink("gateway", timeout: .milliseconds(300))
    return FaultyProcess(on: FaultyDisk()) { life in
      let follower = LogFollower<Rows>("A", in: RemoteLog(engine: engine, life: life, link: link))
      let before = Mutex<SnapshotRevision?>(nil)
      life.task {
        await notes.repeats(every: .milliseconds(90)) {
          let troubles = try await follower.catchUp()
          try hold(troubles.isEmpty, "\(troubles)")
          try isWritten(follower.relay.snapshot)
          let now = follower.relay.revision
          let old = before.withLock { before in
            defer { before = now }
            return before
          }
          if let old, let now, old.epoch == now.epoch {
            try hold(old.number <= now.number, "a gateway went back from \(old) to \(now)")
          }
        }
      }
      return follower.relay
    }
  }

  /// Creates a tab that follows one gateway after another, with patches if possible.
  ///
  /// After a crash, the tab starts with an empty list.
  private static func tab(
    of gateways: [Gateway], _ notes: Notes
  ) -> FaultyProcess<@Sendable () -> DiffableSnapshot<Rows>> {
    let link = FaultyLink("tab", timeout: .milliseconds(300))
    return FaultyProcess(on: FaultyDisk()) { life in
      let shown = SharedMirror()
      life.task {
        await notes.repeats(every: .milliseconds(40)) {
          try await life.moment()
          let (revision, gateway) = (shown.revision, choose("gateway", from: gateways))
          let message = try await link.call {
            // If the gateway crashes, a call that is waiting in it ends.
            try await gateway.call { relay -> SnapshotMessage<Rows>? in
              // Return early, because `next()` does not return while the gateway has nothing new.
              guard relay.revision != nil, relay.revision != revision else { return nil }
              var messages = relay.patches(since: revision).makeAsyncIterator()
              return await messages.next()
            }
          }
          guard let message else { return }
          try shown.take(message)
        }
      }
      return { shown.snapshot }
    }
  }

  /// A tab's mirror, shared by several tasks.
  private final class SharedMirror: Sendable {
    private let mirror = Mutex(SnapshotMirror<Rows>())
    var revision: SnapshotRevision? { mirror.withLock { $0.revision } }
    var snapshot: DiffableSnapshot<Rows> { mirror.withLock { $0.snapshot } }

    func take(_ message: SnapshotMessage<Rows>) throws {
      try mirror.withLock { mirror in
        let before = mirror.revision
        try mirror.apply(message)
        try isWritten(mirror.snapshot)
        if let before, let now = mirror.revision, before.epoch == now.epoch {
          try hold(before.number < now.number, "a tab went back from \(before) to \(now)")
        }
      }
    }
  }

  private static func isWritten(_ snapshot: DiffableSnapshot<Rows>) throws {
    guard let content = snapshot.sections.first?.content else { return }
    try hold(
      snapshot == Rows.list(content / 100, content % 100),
      "a list was shown that was never written: \(snapshot)")
  }

  private static func scenario(_ flaw: Engine.Flaw) async throws {
    let (account, notes) = (Account(), Notes())
    let engine = Engine(account: account, flaw: flaw)
    let screens = (0...1).map { Screen(Rows.list($0, 0)) }
    let publishers = screens.map { publisher(of: $0, to: engine, notes) }
    let gateways = (0...1).map { _ in gateway(to: engine, notes) }
    let tab = tab(of: gateways, notes)
    defer {
      for publisher in publishers { publisher.stop() }
      for gateway in gateways { gateway.stop() }
      tab.stop()
    }

    for step in 1...7 {
      if fault("engine set back") {
        let copy = engine.log.state
        try await Task.sleep(for: .milliseconds(400))
        await engine.log.change {
          account.note(.restored)
          $0 = copy
        }
      }
      for (number, screen) in screens.enumerated() { await screen.show(Rows.list(number, step)) }
      try await Task.sleep(for: .milliseconds(110))
    }
    try await calm {
      // The first publisher ends. The second publisher continues and writes its last list.
      let writing = try await publishers[0].call { $0 }
      writing.cancel()
      _ = await writing.result
      await screens[1].show(last)
      try await arrives("the last list, at the gateways and the tab,") {
        try notes.check()
        for gateway in gateways {
          guard try await gateway.call({ $0.snapshot }) == last else { return false }
        }
        return try await tab.call({ $0() }) == last
      }
    }
    try account.check()
    try notes.check()
    notice(notes.events, crashes: publishers[1].lives > 1 && gateways[0].lives > 1 && tab.lives > 1)
  }

  /// Waits until a condition holds, for at most a minute of virtual time.
  private static func arrives(
    _ what: String, _ isThere: () async throws -> Bool
  ) async throws {
    for _ in 0..<600 {
      if try await isThere() { return }
      try await Task.sleep(for: .milliseconds(100))
    }
    throw Violation(description: "\(what) never arrived")
  }

  /// Checks that each of the events below happens with at least one seed.
  private static func notice(_ met: [LogWriter<Rows>.Event], crashes: Bool) {
    sometimes("a publisher, a gateway and the tab crash in one run", crashes)
    sometimes("a writer waits", met.contains(.waits))
    sometimes(
      "a writer has lost its claim", met.contains { if case .lost = $0 { true } else { false } })
    sometimes(
      "an older copy of a log is restored while its writer runs",
      met.contains { if case .elsewhere = $0 { true } else { false } })
    sometimes("a writer has failed", met.contains { if case .failed = $0 { true } else { false } })
  }

  @Test(
    "D24, D25: even with failures, one publisher writes at a time, and gateways and tabs end with the last list"
  )
  func protocolHolds() async {
    await explore(seeds: Self.seeds) { try await Self.scenario(.none) }
  }

  @Test(
    "D25: each flaw planted in an engine makes a seed fail",
    arguments: Engine.Flaw.allCases.filter { $0 != .none })
  func broken(_ flaw: Engine.Flaw) async {
    let exploration = Exploration(seeds: Self.seeds)
    let failure = await exploration.firstFailure { try await Self.scenario(flaw) }
    #expect(failure != nil, "the flaw \(flaw) was not found")
    guard let failure, case .threw(let error) = failure.reason else { return }
    #expect(error is Violation, "\(error)")
  }
}
