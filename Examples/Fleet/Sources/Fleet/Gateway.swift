import AsyncDiff
import AsyncKnot
import FleetLog
import Foundation

/// Follows all logs, and has ready what leads tabs on.
///
/// It knows nothing of a tab: who says what revisions he has gets what he lacks. Most have the same, and
/// share it.
actor Gateway: StateActor {
  /// What a page is told of a machine beside its list.
  struct Machine: Hashable, Codable, Sendable {
    var name: String
    /// When it gave its last sign, in seconds since 1970, if it is gone.
    var gone: Int?
    /// Why its list is not as new as its log.
    var trouble: String?
  }

  struct State: Sendable {
    /// How often the logs were looked at.
    var looks = 0
    var machines: [Machine] = []
    /// Their lists.
    var relays: [String: SnapshotRelay<MachineList>] = [:]
    /// Why the logs cannot be reached.
    var trouble: String?
  }

  /// What somebody has; he may have lists that this gateway has not heard of yet.
  struct Known: Hashable, Sendable {
    var revisions: [String: SnapshotRevision] = [:]
    var machines: [Machine]?
    var trouble: String?
  }

  /// What leads on from there.
  struct Step: Sendable {
    var events: [UInt8]
    /// The same, packed.
    var packed: [UInt8]
    var known: Known
  }

  let knot = Knot(State())
  private let log: any SnapshotLog
  private var followers: [String: LogFollower<MachineList>] = [:]
  private var steps: [Known: Task<Step?, Never>] = [:]

  init(_ log: any SnapshotLog) {
    self.log = log
  }

  /// Looks at the logs when a bell rings, and once a second anyway, until the task is cancelled.
  func run() async {
    let beat = Beat()
    await withDiscardingTaskGroup { group in
      group.addTask { await beat.run(every: .seconds(1)) }
      group.addTask { [log] in for await _ in log.bells() { await beat.ring() } }
      group.addTask { await self.look(at: beat.states) }
    }
  }

  private func look(at beats: StateSequence<Int>) async {
    var backoff = Backoff()
    for await _ in beats {
      do {
        try await look()
        backoff.reset()
        // Machines have no common clock: what comes in a quarter of a second is one step for the tabs.
        try await Task.sleep(for: .milliseconds(250))
      } catch is CancellationError {
        return
      } catch {
        if state.trouble == nil { say("the logs cannot be read: \(error)") }
        show { $0.trouble = "The log cannot be reached." }
        try? await Task.sleep(for: backoff.next())
      }
    }
  }

  private func look() async throws {
    let heads = try await log.heads().filter { LogName.isOne($0.name) }
    let old = Dictionary(state.machines.map { ($0.name, $0) }) { $1 }
    var machines: [Machine] = []
    for head in heads {
      let follower = followers[head.name] ?? LogFollower(head.name, in: log)
      followers[head.name] = follower
      var machine = Machine(name: head.name, trouble: old[head.name]?.trouble)
      if !head.isAlive {
        let sign = Date.now.timeIntervalSince1970 - head.silence / .seconds(1)
        machine.gone = old[head.name]?.gone ?? Int(sign)
      }
      let troubles = try await follower.catchUp(to: head.revision)
      for trouble in troubles { say("\(trouble); going on with the next full snapshot") }
      if let trouble = troubles.last {
        machine.trouble = trouble.description
      } else if await follower.isUpToDate {
        machine.trouble = nil
      }
      machines.append(machine)
    }
    show { [machines, relays = followers.mapValues(\.relay)] state in
      state.machines = machines
      state.relays = relays
      state.trouble = nil
    }
  }

  private func show(_ change: @escaping @Sendable (inout State) -> Void) {
    steps = [:]
    reduce { state in
      change(&state)
      state.looks += 1
    }
  }

  /// What leads on from what somebody has; nil if that is what is shown.
  func step(from known: Known) async -> Step? {
    if let step = steps[known] { return await step.value }
    let step = Task { [state] in await Self.step(from: known, to: state) }
    steps[known] = step
    return await step.value
  }

  private static func step(
    from known: Known, to state: State
  ) async -> Step? {
    var next = known
    var events: [UInt8] = []
    (next.machines, next.trouble) = (state.machines, state.trouble)
    if next != known {
      events = FleetEvent(machines: state.machines, trouble: state.trouble).bytes(next.revisions)
    }
    for (name, relay) in state.relays {
      let has = known.revisions[name]
      guard let now = relay.revision, now != has else { continue }
      // Another gateway was quicker: this one has nothing to say before it is there, too.
      if let has, has.epoch == now.epoch, has.number > now.number { continue }
      guard let message = await message(of: relay, since: has) else { continue }
      next.revisions[name] = message.revision
      events += FleetEvent(log: name, message: message).bytes(next.revisions)
    }
    return next == known ? nil : Step(events: events, packed: Packed.part(events), known: next)
  }

  /// What leads on from a revision; nil where the same is shown as then, which a relay does not tell.
  private static func message(
    of relay: SnapshotRelay<MachineList>, since revision: SnapshotRevision?
  ) async -> SnapshotMessage<MachineList>? {
    await withTaskGroup { group in
      group.addTask {
        var messages = relay.patches(since: revision, full: .whereNeeded).makeAsyncIterator()
        return await messages.next()
      }
      group.addTask {
        try? await Task.sleep(for: .milliseconds(200))
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }
}
