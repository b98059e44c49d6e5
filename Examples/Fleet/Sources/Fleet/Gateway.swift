import AsyncDiff
import AsyncKnot
import FleetLog
import Foundation
import ProcessBoard

/// Follows all logs and prepares the events of the pages.
///
/// The gateway stores nothing about a page. A page sends its revisions, and receives the messages that it does not have. Most
/// pages have the same revisions and share the events.
actor Gateway: StateActor {
  struct State: Sendable {
    /// The number of updates of this state; one reading of all logs can cause several updates.
    var looks = 0
    var machines: [FleetList.Machine] = []
    /// The reason why the logs cannot be reached.
    var trouble: String?
    /// The machines' lists.
    var lists: [String: SnapshotRelay<MachineList>] = [:]
    /// The lists for pages, with the list of machines first and the others by name.
    fileprivate(set) var feeds: [Feed] = []
    /// The revisions of a page that has the current revision of every list.
    fileprivate var known = Known()
    /// The names of all machines, including machines whose lists have not been read yet; `nil` if the logs cannot be reached and
    /// no machine is known.
    fileprivate var names: Set<String>? {
      trouble != nil && machines.isEmpty ? nil : Set(machines.map(\.name))
    }
  }

  /// The next step of a page.
  struct Step: Sendable {
    var events: [[UInt8]]
    var known: Known
    /// Whether another step is needed.
    var hasMore: Bool
  }

  private struct Lack: Hashable {
    var since: SnapshotRevision?
    var isPacked: Bool
  }

  private struct From: Hashable {
    var known: ObjectIdentifier
    var isPacked: Bool
  }

  let knot = Knot(State())
  private let log: any SnapshotLog
  private let fleet = SnapshotRelay<FleetList>()
  private var followers: [String: LogFollower<MachineList>] = [:]
  /// The events of each list, by the revision from which they start.
  private var events: [String: [Lack: Task<FleetEvent?, Never>]] = [:]
  /// The steps of all lists, by the revisions from which they start.
  ///
  /// Each value contains the `Known` object whose identity is the key, so that no newer object can get the same identity.
  private var steps: [From: (Known, Task<Step?, Never>)] = [:]

  init(_ log: any SnapshotLog) {
    self.log = log
  }

  /// Reads the logs when a notification arrives, and once per second, until the task is cancelled.
  func run() async {
    let beat = Beat()
    await withDiscardingTaskGroup { group in
      group.addTask { await beat.run(every: .seconds(1)) }
      group.addTask { [log] in for await _ in log.bells() { await beat.ring() } }
      group.addTask { await self.look(at: beat.states) }
    }
  }

  /// The time between two readings of the logs.
  ///
  /// The machines do not publish at the same moment, so this pause combines their changes into one step for the pages.
  private static let pace = Duration.milliseconds(250)

  private func look(at beats: StateSequence<Int>) async {
    var backoff = Backoff()
    for await _ in beats {
      do {
        try await look()
        backoff.reset()
        try await Task.sleep(for: Self.pace)
      } catch is CancellationError {
        return
      } catch {
        let trouble = Self.plain("The logs cannot be read: \(error)")
        if trouble != state.trouble { say(trouble) }
        await show(state.machines, trouble: trouble)
        try? await Task.sleep(for: backoff.next())
      }
    }
  }

  private func look() async throws {
    let heads = try await log.heads().filter { LogName.isOne($0.name) }
    let old = Dictionary(state.machines.map { ($0.name, $0) }) { $1 }
    let names = Set(heads.map(\.name))
    followers = followers.filter { names.contains($0.key) }
    var machines = heads.map { Self.machine($0, before: old[$0.name]) }
    var shown = ContinuousClock.now
    for (place, head) in heads.enumerated() where head.trouble == nil {
      let follower = followers[head.name] ?? LogFollower(head.name, in: log)
      followers[head.name] = follower
      let behind = try await trouble(catchingUp: follower, to: head.revision)
      // Prefer the writer's report, because it is newer than the problem that the follower found.
      let trouble = head.complaint.map { Self.plain("log \(head.name): \($0)") } ?? behind
      if let trouble, trouble != old[head.name]?.trouble { say(trouble) }
      machines[place].trouble = trouble
      // Reading thousands of logs takes a while, so show the lists that have been read.
      if .now - shown > Self.pace {
        await show(machines)
        shown = .now
      }
    }
    await show(machines)
  }

  private static func machine(
    _ head: LogHead, before: FleetList.Machine?
  ) -> FleetList.Machine {
    // The previous reason applies until the log is read again.
    var machine = FleetList.Machine(name: head.name, trouble: before?.trouble)
    if let trouble = head.trouble {
      machine.trouble = plain("log \(head.name): \(trouble)")
      if let trouble = machine.trouble, trouble != before?.trouble { say(trouble) }
    } else if !head.isAlive {
      let heartbeat = Int(nearest: Date.now.timeIntervalSince1970 - head.silence / .seconds(1))
      // Because of rounding, the computed time of the same heartbeat can differ by a second.
      machine.gone = before?.gone.flatMap { abs($0 - heartbeat) <= 1 ? $0 : nil } ?? heartbeat
    }
    return machine
  }

  /// Reads the new messages of a log.
  ///
  /// Returns the reason why the list does not contain all messages, or `nil` if it does.
  private func trouble(
    catchingUp follower: LogFollower<MachineList>, to revision: SnapshotRevision
  ) async throws -> String? {
    do {
      let troubles = try await follower.catchUp(to: revision)
      guard let trouble = await follower.trouble else {
        for trouble in troubles {
          say(Self.plain("\(trouble)") + "; the next full snapshot has arrived")
        }
        return nil
      }
      return Self.plain("\(trouble)") + "; continuing with the next full snapshot"
    } catch let unreadable as UnreadableLog {
      return Self.plain("\(unreadable)")
    }
  }

  /// Makes a reason safe for a page or a terminal.
  ///
  /// A reason comes from a table and can contain any characters.
  private static func plain(_ reason: String) -> String { PlainText.of(reason.utf8, limit: 400) }

  private func show(_ machines: [FleetList.Machine], trouble: String? = nil) async {
    await follow(FleetList(content: .init(trouble: trouble), items: machines))
    let lists = followers.mapValues(\.relay)
    let feeds =
      [Feed(FleetList.name, fleet)].compactMap(\.self)
      + machines.compactMap { machine in
        lists[machine.name].flatMap { Feed(machine.name, $0, load: \.load) }
      }
    let old = state.known
    for feed in feeds where old.revisions[feed.name] != feed.revision { events[feed.name] = nil }
    steps = [:]
    let isSame = feeds.count == old.revisions.count && old.hasAll(of: feeds)
    let known =
      isSame ? old : Known(Dictionary(feeds.map { ($0.name, $0.revision) }) { $1 })
    reduce { state in
      (state.machines, state.trouble, state.lists) = (machines, trouble, lists)
      (state.feeds, state.known) = (feeds, known)
      state.looks += 1
    }
  }

  /// Updates the list of machines.
  ///
  /// The list's epoch is chosen at random, so that no other gateway uses it.
  private func follow(_ list: FleetList) async {
    let snapshot = DiffableSnapshot(sections: [list])
    let mirror = fleet.state
    guard let patch = mirror.patch(to: snapshot) else {
      let revision = SnapshotRevision(epoch: .random(in: 1..<1 << 53), number: 1)
      _ = try? await fleet.apply(.snapshot(snapshot, revision))
      return
    }
    if !patch.stages.isEmpty { _ = try? await fleet.apply(.patch(patch)) }
  }

  /// Returns the next step of a page; `nil` if this gateway has nothing new for the page.
  func step(from known: Known, isPacked: Bool) async -> Step? {
    let from = From(known: ObjectIdentifier(known), isPacked: isPacked)
    if let (_, step) = steps[from] { return await step.value }
    let step = Task { await makeStep(from: known, isPacked: isPacked) }
    steps[from] = (known, step)
    return await step.value
  }

  private func makeStep(from known: Known, isPacked: Bool) async -> Step? {
    let state = state
    let (feeds, hasMore) = known.step(to: state.feeds)
    let tasks = feeds.map { ($0.name, event(of: $0, since: known, isPacked: isPacked)) }
    var events: [FleetEvent] = []
    var revisions: [String: SnapshotRevision] = [:]
    for (name, task) in tasks {
      guard let event = await task.value else { continue }
      events.append(event)
      revisions[name] = event.revision
    }
    guard let last = feeds.last?.name else { return nil }
    let next = known.after(revisions, last: last, machines: state.names)
    return Step(
      events: events.map(\.bytes),
      known: next.revisions == state.known.revisions ? state.known : next,
      hasMore: hasMore && !events.isEmpty)
  }

  /// Returns the event of one list.
  ///
  /// The event is created once for all pages with the same revision.
  func event(
    of feed: Feed, since known: Known, isPacked: Bool
  ) -> Task<FleetEvent?, Never> {
    let lack = Lack(since: known.revisions[feed.name], isPacked: isPacked)
    if let event = events[feed.name]?[lack] { return event }
    let event = Task {
      let event = await feed.event(lack.since, isPacked)
      // A busy gateway may not have created the event in time, so the next call tries again.
      if event == nil { events[feed.name]?[lack] = nil }
      return event
    }
    events[feed.name, default: [:]][lack] = event
    return event
  }
}
