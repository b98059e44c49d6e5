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
      var lanes = Lanes<Int, Int>()
      var model = Model(kind: kind)
      var numbers: [Int: Int] = [:]
      for id in 0..<40 {
        if Bool.random(using: &random) {
          let (admission, number, _) = lanes.admit(id, to: lane, as: id)
          let isFree = model.inFlight.isEmpty
          switch (kind, admission) {
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
            numbers[id] = number
            model.events.append(.started(id))
          case (_, let other): Issue.record("\(kind) gave \(other)")
          }
        } else if let ending = numbers.keys.randomElement(using: &random),
          let number = numbers.removeValue(forKey: ending)
        {
          let wasCurrent = model.inFlight.contains(ending)
          let isDue = lanes.finish(number, in: lane) != nil
          model.events.append(.ended(ending))
          let next = wasCurrent ? model.queue.first : nil
          #expect(isDue == (next != nil))
          if isDue, let begun = lanes.startNext(in: lane, as: next ?? id) {
            #expect(begun.message == next && begun.superseded == nil)
            numbers[begun.message] = begun.number
            model.events.append(.started(begun.message))
          }
        }
        #expect(lanes.waitingCount == model.queue.count)
      }
      while let (id, number) = numbers.popFirst() {
        if lanes.finish(number, in: lane) != nil, let next = lanes.startNext(in: lane, as: id) {
          numbers[next.message] = next.number
        }
      }
      #expect(lanes.isEmpty, "a lane without anything in flight is forgotten")
    }
  }

  @Test("O3: a debounced message is due a quiet time after the last one")
  func due() throws {
    var lanes = Lanes<Int, Int>()
    let lane = Lane(.debounced, 1)
    guard
      case .delay(timer: .seconds(3)) =
        lanes.admit(1, to: lane, now: .zero, interval: .seconds(3), as: 0).admission,
      case .delay(timer: nil) =
        lanes.admit(2, to: lane, now: .seconds(2), interval: .seconds(3), as: 0).admission
    else { throw Broken() }
    guard case .sleep(until: .seconds(5)) = lanes.due(in: lane, at: .seconds(3)) else {
      throw Broken()
    }
    guard case .start(then: nil) = lanes.due(in: lane, at: .seconds(5)) else { throw Broken() }
    guard let begun = lanes.startNext(in: lane, as: 0), begun.message == 2 else { throw Broken() }
    let isAnotherDue = lanes.finish(begun.number, in: lane) != nil
    #expect(!isAnotherDue)
    #expect(lanes.isEmpty)
    #expect(lanes.due(in: lane, at: .seconds(9)) == nil)
  }
}
