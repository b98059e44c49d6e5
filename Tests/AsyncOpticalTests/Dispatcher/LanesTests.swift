@testable import AsyncOptical
import AsyncKnotTesting
import Testing

/// The state machine of the policies, judged by a slow model that keeps the whole history.
@Suite struct LanesTests {
  /// Remembers everything that happened in one lane, and answers each question from that.
  private struct Model {
    enum Event { case started(Int), ended(Int), queued(Int) }
    var kind: Lane.Kind
    var events: [Event] = []

    var inFlight: [Int] {
      var running: [Int] = []
      for event in events {
        if case .started(let id) = event { running.append(id) }
        if case .ended(let id) = event { running.removeAll { $0 == id } }
      }
      return running
    }

    var queue: [Int] {
      let queued = events.compactMap { if case .queued(let id) = $0 { id } else { nil } }
      let started = events.compactMap { if case .started(let id) = $0 { id } else { nil } }
      return queued.filter { !started.contains($0) }
    }
  }

  @Test("O3: every policy decides as its description says", arguments: 0..<300)
  func decides(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for kind in [Lane.Kind.serial, .latest, .exclusive] {
      let lane = Lane(kind, "lane")
      var all = AllLanes()
      var model = Model(kind: kind)
      var running: Set<Int> = []
      for id in 0..<40 {
        if Bool.random(using: &random) {
          let isFree = model.inFlight.isEmpty
          switch (kind, all.admit(id, to: lane)) {
          case (.serial, .wait):
            #expect(!isFree || !model.queue.isEmpty)
            model.events.append(.queued(id))
          case (.exclusive, .drop): #expect(!isFree)
          case (_, .start(let superseded)):
            if kind == .latest {
              #expect(superseded == model.inFlight.last)
              model.inFlight.last.map { model.events.append(.ended($0)) }
            } else {
              #expect(isFree)
            }
            running.insert(id)
            model.events.append(.started(id))
          case (_, let other): Issue.record("\(kind) gave \(other)")
          }
        } else if let ending = running.randomElement(using: &random) {
          running.remove(ending)
          let wasCurrent = model.inFlight.contains(ending)
          let isDue = all.finish(ending, in: lane)
          model.events.append(.ended(ending))
          let next = wasCurrent ? model.queue.first : nil
          #expect(isDue == (next != nil))
          if let next, let begun = all.lanes.startNext(in: lane, as: next) {
            #expect(begun.message == next && begun.superseded == nil)
            running.insert(next)
            model.events.append(.started(next))
          }
        }
        #expect(all.lanes.waitingCount == model.queue.count)
      }
      while let id = running.popFirst() {
        guard all.finish(id, in: lane), let next = model.queue.first else { continue }
        _ = all.lanes.startNext(in: lane, as: next)
        model.events.append(.started(next))
        running.insert(next)
      }
      #expect(all.isEmpty, "a lane without anything in flight is forgotten")
    }
  }

  @Test("O3: a debounced message is due a quiet time after the last one, or when the clock fails")
  func due() throws {
    for isFailed in [false, true] {
      var lanes = Lanes<Int, Int>()
      let lane = Lane(.debounced, 1)
      for (message, now) in [(1, Duration.zero), (2, .seconds(2))] {
        _ = lanes.admit(message, to: lane, as: message, now: now, interval: .seconds(3))
        #expect(lanes.occupied[lane]?.deadline == now + .seconds(3))
      }
      let early = lanes.startNext(in: lane, as: 0, now: .seconds(3), isFailed: isFailed)
      #expect(early?.message == (isFailed ? 2 : nil))
      let next = lanes.startNext(in: lane, as: 0, now: .seconds(5))
      #expect(next?.message == (isFailed ? nil : 2))
      #expect(lanes.finish(0, in: lane) == nil)
      #expect(lanes.occupied.isEmpty && lanes.waitingCount == 0)
    }
  }

  @Test("M1: of all that waits the oldest is dropped, whatever its lane")
  func dropsOldest() {
    var lanes = Lanes<Int, Int>()
    for id in 0..<9 { _ = lanes.admit(id, to: Lane(.serial, id % 3), as: id) }
    var dropped: [Int] = []
    while let oldest = lanes.dropOldest() { dropped.append(oldest) }
    #expect(dropped == [3, 4, 5, 6, 7, 8] && lanes.waitingCount == 0)
  }
}
