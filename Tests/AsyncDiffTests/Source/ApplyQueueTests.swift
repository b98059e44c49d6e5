import Testing

@testable import AsyncDiff

private struct Name: ApplyRequest, ExpressibleByStringLiteral {
  var name: String
  var absorbed: [String] = []
  init(stringLiteral name: String) { self.name = name }
  mutating func absorb(_ older: Name) { absorbed = older.absorbed + [older.name] + absorbed }
}

/// A queue whose steps are told in words.
private final class Driver {
  private var queue: ApplyQueue<Name, String>
  /// The attempts to prepare each request, by its ticket.
  private var attempts: [UInt64: [ApplyQueue<Name, String>.Attempt]] = [:]

  init(patience: Int = 16) {
    queue = ApplyQueue(patience: patience)
  }

  func announce() -> UInt64 { queue.announce() }

  func submit(_ name: Name, as ticket: UInt64? = nil) -> [String] {
    text(queue.submit(name, as: ticket ?? queue.announce()))
  }

  func began(_ ticket: UInt64, by work: String, attempt: Int? = nil) -> [String] {
    text(queue.began(named(ticket, attempt), by: work))
  }

  func show(_ ticket: UInt64, attempt: Int? = nil) -> Bool { queue.show(named(ticket, attempt)) }

  func finish(_ ticket: UInt64) -> [String] {
    text(queue.finish(named(ticket, nil), .shown(.reloaded)))
  }

  /// The attempt with a number, or the last one.
  private func named(_ ticket: UInt64, _ number: Int?) -> ApplyQueue<Name, String>.Attempt {
    let made = attempts[ticket] ?? []
    return (number.map { made[$0] } ?? made.last)
      ?? ApplyQueue<Name, String>.Attempt(ticket: ticket, number: 0)
  }

  func beginMove() -> [String]? { queue.beginMove().map(text) }

  func endMove() -> [String] { text(queue.endMove()) }

  func submit(_ name: Name, ifNoneAfter order: UInt64) -> [String]? {
    queue.submit(name, ifNoneAfter: order).map(text)
  }

  var lastOrder: UInt64 { queue.lastOrder }

  func cancel(_ ticket: UInt64) -> [String] { text(queue.cancel(ticket)) }

  private func text(_ steps: [ApplyQueue<Name, String>.Step]) -> [String] {
    steps.map { step in
      switch step {
      case .prepare(let attempt, let request):
        attempts[attempt.ticket, default: []].append(attempt)
        return "prepare \(request.name)\(attempt.ticket)"
          + (request.absorbed.isEmpty ? "" : " for \(request.absorbed.joined())")
      case .abandon(let work): return "abandon \(work)"
      case .answer(let request, .shown): return "\(request.name) shown"
      case .answer(let request, .superseded): return "\(request.name) superseded"
      case .answer(let request, .cancelled): return "\(request.name) cancelled"
      case .answer(let request, .failed): return "\(request.name) failed"
      }
    }
  }
}

@Suite struct ApplyQueueTests {
  /// A queue in which `a` is being prepared by `wa`.
  private func preparing(patience: Int = 16) -> Driver {
    let queue = Driver(patience: patience)
    #expect(queue.submit("a") == ["prepare a1"])
    #expect(queue.began(1, by: "wa") == [])
    return queue
  }

  @Test("D8: one is shown at a time; the newest of the others waits; all are answered")
  func serial() {
    let queue = preparing()
    #expect(queue.show(1))
    #expect(queue.submit("b") == [])
    #expect(queue.submit("c") == ["b superseded"])
    #expect(queue.submit("d") == ["c superseded"])
    #expect(!queue.show(4), "what waits is not shown")
    #expect(
      queue.finish(1) == [
        "a shown", "prepare d4 for bc",
      ])
    #expect(queue.show(4))
    #expect(queue.finish(4) == ["d shown"])
    #expect(queue.submit("e") == ["prepare e5"])
  }

  @Test("D10: a newer one replaces one that is being prepared")
  func replaced() {
    let queue = preparing()
    #expect(queue.submit("b") == ["abandon wa", "a superseded", "prepare b2 for a"])
    #expect(!queue.show(1))
    #expect(queue.finish(1).isEmpty)
    #expect(
      queue.submit("c") == ["b superseded", "prepare c3 for ab"], "b has not begun yet")
    #expect(queue.began(2, by: "wb") == ["abandon wb"])
    #expect(queue.show(3))
  }

  @Test("D8: a stream of snapshots cannot keep the surface waiting for ever")
  func patience() {
    let queue = preparing(patience: 2)
    #expect(queue.submit("b") == ["abandon wa", "a superseded", "prepare b2 for a"])
    #expect(queue.submit("c") == ["b superseded", "prepare c3 for ab"])
    #expect(queue.submit("d") == [], "c is prepared to its end")
    #expect(queue.submit("e") == ["d superseded"])
    #expect(queue.show(3))
    #expect(queue.finish(3).last == "prepare e5 for d")
    #expect(queue.submit("f") == ["e superseded", "prepare f6 for de"])
  }

  @Test("D9: cancellation before the surface is touched ends the request and nothing else")
  func cancelled() {
    let early = Driver()
    let ticket = early.announce()
    #expect(early.cancel(ticket).isEmpty)
    #expect(early.submit("a", as: ticket) == ["a cancelled"])
    #expect(early.submit("b") == ["prepare b2"])

    let queue = preparing()
    #expect(queue.cancel(1) == ["abandon wa", "a cancelled"])
    #expect(!queue.show(1))
    #expect(queue.submit("b") == ["prepare b2"])
    #expect(queue.show(2))
    #expect(queue.submit("c") == [])
    #expect(queue.cancel(3) == ["c cancelled"])
    #expect(queue.cancel(3).isEmpty)
    #expect(queue.finish(2).count == 1, "nobody waits any more")
  }

  @Test("D9: cancellation after that lets the request be completed")
  func tooLate() {
    let queue = preparing()
    #expect(queue.show(1))
    #expect(queue.cancel(1).isEmpty)
    #expect(queue.finish(1) == ["a shown"])
    #expect(queue.cancel(1).isEmpty)
  }

  @Test("D9: when the one being prepared is cancelled, the one that waits goes on")
  func cancelledBeforeWaiting() {
    let queue = preparing(patience: 0)
    #expect(queue.submit("b") == [])
    #expect(queue.cancel(1) == ["abandon wa", "a cancelled", "prepare b2"])
  }

  @Test("D15: what was superseded is prepared again when what superseded it is cancelled")
  func fallback() {
    let queue = preparing()
    #expect(queue.submit("b") == ["abandon wa", "a superseded", "prepare b2 for a"])
    #expect(queue.cancel(2) == ["b cancelled", "prepare a1"])
    #expect(queue.submit("c") == ["prepare c3 for a"], "a is told only once")
    #expect(queue.show(3))
    #expect(queue.submit("d") == [])
    #expect(queue.submit("e") == ["d superseded"])
    #expect(queue.cancel(5) == ["e cancelled"])
    #expect(queue.finish(3) == ["c shown", "prepare d4"])
    #expect(queue.show(4))
    #expect(queue.finish(4).isEmpty, "nobody waits for d any more")
    #expect(queue.submit("f") == ["prepare f6"], "what was shown is no fallback")
  }

  @Test("D15: what was superseded before and after the one being prepared is kept apart")
  func fallbacksOnBothSides() {
    let queue = preparing(patience: 1)
    #expect(queue.submit("b") == ["abandon wa", "a superseded", "prepare b2 for a"])
    #expect(queue.submit("c") == [])
    #expect(queue.submit("d") == ["c superseded"])
    #expect(queue.cancel(4) == ["d cancelled"])
    #expect(queue.cancel(2) == ["b cancelled", "prepare c3 for a"])
    #expect(queue.show(3))
    #expect(queue.finish(3).isEmpty)
  }

  @Test(
    "D20: a row is not moved while the surface is called; else what is prepared is prepared again")
  func moving() {
    let queue = preparing()
    #expect(queue.beginMove() == ["abandon wa"])
    #expect(queue.beginMove() == nil, "one at a time")
    #expect(!queue.show(1))
    #expect(queue.submit("b") == ["a superseded"])
    #expect(queue.endMove() == ["prepare b2 for a"])
    #expect(queue.show(2))
    #expect(queue.beginMove() == nil)
    #expect(queue.finish(2) == ["b shown"])
    #expect(queue.beginMove() == [])
    #expect(queue.endMove() == [])
    let order = queue.lastOrder
    #expect(queue.submit("c", ifNoneAfter: order) == ["prepare c3"])
    #expect(queue.submit("d", ifNoneAfter: order) == nil)
  }

  @Test("D15: a snapshot that replaces its own older copies has each of their marks once")
  func marksOnce() throws {
    var snapshot = oneDay([1, 2, 3])
    var waiting = SnapshotRequest(snapshot, animated: true)
    for turn in 0..<100 {
      try snapshot.reconfigureItems([1 + turn % 3])
      var next = SnapshotRequest(snapshot, animated: true)
      next.absorb(waiting)
      waiting = next
    }
    #expect(waiting.snapshot.marks.groups.count == 100)
  }

  @Test("D20: what was compared before a row was moved is not shown, however late it comes")
  func staleAttempt() {
    let queue = preparing()
    #expect(queue.beginMove() == ["abandon wa"])
    #expect(queue.endMove() == ["prepare a1"])
    #expect(!queue.show(1, attempt: 0))
    #expect(queue.began(1, by: "wa", attempt: 0) == ["abandon wa"])
    #expect(queue.began(1, by: "wb") == [])
    #expect(queue.beginMove() == ["abandon wb"])
    #expect(queue.endMove() == ["prepare a1"])
    #expect(queue.show(1))
    #expect(queue.finish(1) == ["a shown"])
  }

  @Test("D9, D20: one that is cancelled while a row is moved is not prepared")
  func cancelledWhileMoving() {
    let queue = preparing()
    #expect(queue.beginMove() == ["abandon wa"])
    #expect(queue.cancel(1) == ["a cancelled"])
    #expect(queue.endMove() == [])
    #expect(queue.submit("b") == ["prepare b2"])
  }
}
