@testable import AsyncDiff

private struct Name: ApplyRequest, ExpressibleByStringLiteral {
  var name: String
  var absorbed: [String] = []
  init(stringLiteral name: String) { self.name = name }
  // The last character sets a property: a name with `!` supersedes others, `^` yields to others, and `*` has marks.
  var supersedesAtOnce: Bool { name.hasSuffix("!") }
  var yields: Bool { name.hasSuffix("^") }
  var hasMarks: Bool { name.hasSuffix("*") }
  mutating func absorb(_ older: [Name]) {
    absorbed = older.flatMap { $0.absorbed + [$0.name] } + absorbed
  }
}

/// A queue that describes its steps in words.
private final class Driver {
  private var queue = ApplyQueue<Name, String>()
  /// The attempts to prepare each request, by ticket.
  private var attempts: [UInt64: [ApplyQueue<Name, String>.Attempt]] = [:]

  init(patience: Int = 16) {
    queue.patience = patience
  }

  func submit(_ name: Name, isCancelled: Bool = false) -> [String] {
    text(queue.submit(name, as: queue.nextTicket(), isCancelled: isCancelled))
  }

  /// Submits requests in the reverse order of their tickets.
  func submitReversed(_ names: Name...) -> [String] {
    names.map { ($0, queue.nextTicket()) }.reversed().flatMap { text(queue.submit($0, as: $1)) }
  }

  func began(_ ticket: UInt64, by work: String, attempt: Int? = nil) -> [String] {
    text(queue.began(named(ticket, attempt), by: work))
  }

  func claim(_ ticket: UInt64, attempt: Int? = nil) -> [String]? {
    queue.claim(named(ticket, attempt)).map(text)
  }

  func finish(_ ticket: UInt64) -> [String] {
    text(queue.finish(named(ticket, nil), .success(.reloaded)))
  }

  /// Returns the attempt of a request at an index, or the last attempt if the index is `nil`.
  private func named(_ ticket: UInt64, _ number: Int?) -> ApplyQueue<Name, String>.Attempt {
    let made = attempts[ticket] ?? []
    return (number.map { made[$0] } ?? made.last)
      ?? ApplyQueue<Name, String>.Attempt(ticket: ticket, number: 0)
  }

  func beginMove() -> [String]? { queue.beginMove().map(text) }

  func endMove() -> [String] { text(queue.endMove()) }

  func submit(_ name: Name, ifClaims claims: UInt64) -> [String]? {
    queue.submit(name, ifClaims: claims).map(text)
  }

  var claims: UInt64 { queue.claims }

  func cancel(_ ticket: UInt64) -> [String] { text(queue.cancel(ticket)) }

  private func text(_ steps: [ApplyQueue<Name, String>.Step]) -> [String] {
    steps.map { step in
      switch step {
      case .prepare(let attempt, let request):
        attempts[attempt.ticket, default: []].append(attempt)
        return "prepare \(request.name)\(attempt.ticket)"
          + (request.absorbed.isEmpty ? "" : " for \(request.absorbed.joined())")
      case .abandon(let work): return "abandon \(work)"
      case .answer(let request, .success(.superseded)): return "\(request.name) superseded"
      case .answer(let request, .success): return "\(request.name) shown"
      case .answer(let request, .failure): return "\(request.name) cancelled"
      }
    }
  }
}

@Suite struct ApplyQueueTests {
  /// A queue in which the work `wa` is preparing the request `a`.
  private func preparing(patience: Int = 16) -> Driver {
    let queue = Driver(patience: patience)
    #expect(queue.submit("a") == ["prepare a1"])
    #expect(queue.began(1, by: "wa") == [])
    return queue
  }

  @Test(
    "D8: one request is shown at a time, the newest request waits, and every request gets an outcome"
  )
  func serial() {
    let queue = preparing()
    #expect(queue.claim(1) == [])
    for name: Name in ["b", "c", "d"] { #expect(queue.submit(name) == []) }
    #expect(queue.claim(4) == nil, "a waiting request is not shown")
    #expect(queue.finish(1) == ["a shown", "prepare d4 for bc"])
    #expect(queue.claim(4) == ["b superseded", "c superseded"])
    #expect(queue.finish(4) == ["d shown"])
    #expect(queue.submit("e") == ["prepare e5"])
  }

  @Test("D10: a newer request replaces one that is being prepared")
  func replaced() {
    let queue = preparing()
    #expect(queue.submit("b") == ["abandon wa", "prepare b2 for a"])
    #expect(queue.claim(1) == nil)
    #expect(queue.finish(1).isEmpty)
    #expect(queue.submit("c") == ["prepare c3 for ab"], "b has not started yet")
    #expect(queue.began(2, by: "wb") == ["abandon wb"])
    #expect(queue.claim(3) == ["a superseded", "b superseded"])
  }

  @Test(
    "D8: after the maximum number of replacements, newer requests wait for the prepared request")
  func patience() {
    let queue = preparing(patience: 2)
    #expect(queue.submit("b") == ["abandon wa", "prepare b2 for a"])
    #expect(queue.submit("c") == ["prepare c3 for ab"])
    #expect(queue.submit("d") == [], "the preparation of c is not abandoned")
    #expect(queue.submit("e!") == ["a superseded", "b superseded", "d superseded"])
    #expect(queue.claim(3) == [])
    #expect(queue.finish(3) == ["c shown", "prepare e!5 for abd"])
    #expect(queue.submit("f") == ["prepare f6 for abde!"])
  }

  @Test("D8: a request that cannot be cancelled supersedes all waiting requests immediately")
  func final() {
    let queue = preparing()
    #expect(queue.submit("b!") == ["a superseded", "abandon wa", "prepare b!2 for a"])
    #expect(queue.claim(2) == [])
    #expect(queue.submit("c!") == [])
    #expect(queue.submit("d!") == ["c! superseded"])
    #expect(queue.submit("e") == [])
    #expect(queue.cancel(5) == ["e cancelled"])
    #expect(queue.finish(2) == ["b! shown", "prepare d!4 for c!"])
  }

  @Test("D9: cancelling a request before the surface is called ends only that request")
  func cancelled() {
    let early = Driver()
    #expect(early.cancel(1).isEmpty)
    #expect(early.submit("a", isCancelled: true) == ["a cancelled"])
    #expect(early.submit("b") == ["prepare b2"])

    let queue = preparing()
    #expect(queue.cancel(1) == ["abandon wa", "a cancelled"])
    #expect(queue.claim(1) == nil)
    #expect(queue.submit("b") == ["prepare b2"])
    #expect(queue.claim(2) == [])
    #expect(queue.submit("c") == [])
    #expect(queue.cancel(3) == ["c cancelled"])
    #expect(queue.cancel(3).isEmpty)
    #expect(queue.finish(2).count == 1, "no other request waits")
  }

  @Test(
    "D9: a request that is being prepared does not show the marks of an older request that is cancelled"
  )
  func cancelledMarks() {
    let queue = preparing(patience: 2)
    #expect(queue.submit("b*") == ["abandon wa", "prepare b*2 for a"])
    #expect(queue.submit("c") == ["prepare c3 for ab*"])
    #expect(queue.began(3, by: "wc") == [])
    #expect(queue.submit("d") == [], "the preparation of c is not abandoned")
    #expect(queue.cancel(1) == ["a cancelled"], "a has no marks")
    #expect(queue.cancel(2) == ["abandon wc", "b* cancelled", "prepare c3"])
    #expect(queue.claim(3, attempt: 0) == nil)
    #expect(queue.claim(3) == [])
  }

  @Test(
    "D9: the order in which requests are submitted decides whose marks are shown, not that of the tickets"
  )
  func cancelledMarksOfANewerTicket() {
    let queue = Driver()
    #expect(queue.submitReversed("a*", "b*") == ["prepare b*2", "prepare a*1 for b*"])
    #expect(queue.began(1, by: "wa") == [])
    #expect(queue.cancel(2) == ["abandon wa", "b* cancelled", "prepare a*1"])
    let other = Driver(patience: 0)
    #expect(other.submitReversed("a*", "b*") == ["prepare b*2"])
    #expect(other.cancel(1) == ["a* cancelled"], "b has not absorbed the marks of a")
  }

  @Test("D9: cancelling a request after the surface is called has no effect")
  func tooLate() {
    let queue = preparing()
    #expect(queue.claim(1) == [])
    #expect(queue.cancel(1).isEmpty)
    #expect(queue.finish(1) == ["a shown"])
    #expect(queue.cancel(1).isEmpty)
  }

  @Test("D9: if the request that is being prepared is cancelled, the waiting request is prepared")
  func cancelledBeforeWaiting() {
    let queue = preparing(patience: 0)
    #expect(queue.submit("b") == [])
    #expect(queue.cancel(1) == ["abandon wa", "a cancelled", "prepare b2"])
  }

  @Test("D15: a superseded request is shown if all newer ones are cancelled")
  func fallback() {
    let queue = preparing()
    #expect(queue.submit("b") == ["abandon wa", "prepare b2 for a"])
    #expect(queue.submit("c") == ["prepare c3 for ab"])
    #expect(queue.cancel(2) == ["b cancelled"])
    #expect(queue.cancel(3) == ["c cancelled", "prepare a1"])
    #expect(queue.claim(1) == [])
    for name: Name in ["d", "e", "f"] { #expect(queue.submit(name) == []) }
    #expect(queue.cancel(6) == ["f cancelled"])
    #expect(queue.cancel(5) == ["e cancelled"])
    #expect(queue.finish(1) == ["a shown", "prepare d4"])
    #expect(queue.claim(4) == [])
    #expect(queue.finish(4) == ["d shown"])
    #expect(queue.submit("g") == ["prepare g7"], "nothing is left")
  }

  @Test(
    "D20: a yielding request is prepared if no snapshot waits, and is superseded by any snapshot"
  )
  func yielding() {
    let queue = preparing()
    #expect(queue.submit("p^") == [])
    #expect(queue.submit("q^", ifClaims: 0) == [])
    #expect(queue.cancel(1) == ["abandon wa", "a cancelled", "prepare q^3 for p^"])
    #expect(queue.submit("b") == ["prepare b4 for p^q^"])
    #expect(queue.cancel(4) == ["b cancelled", "prepare q^3 for p^"])
    #expect(queue.claim(3) == ["p^ superseded"])
    #expect(queue.finish(3) == ["q^ shown"])
    #expect(queue.submit("r^", ifClaims: 0) == ["prepare r^5"])
    #expect(queue.submit("c") == ["prepare c6 for r^"])
    #expect(queue.claim(6) == ["r^ superseded"])
    #expect(queue.submit("s^", ifClaims: 0) == nil, "a newer snapshot was claimed")
  }

  @Test(
    "D20: a row cannot move during a call to the surface, and a move restarts a preparation")
  func moving() {
    let queue = preparing()
    #expect(queue.beginMove() == ["abandon wa"])
    #expect(queue.beginMove() == nil, "one at a time")
    #expect(queue.claim(1) == nil)
    #expect(queue.submit("b") == [])
    #expect(queue.endMove() == ["prepare b2 for a"])
    #expect(queue.claim(2) == ["a superseded"])
    #expect(queue.beginMove() == nil)
    #expect(queue.finish(2) == ["b shown"])
    #expect(queue.beginMove() == [])
    #expect(queue.submit("c") == [], "a snapshot waits while a row is moved")
    #expect(queue.endMove() == ["prepare c3"])
    #expect(queue.claims == 1)
  }

  @Test("D15: a snapshot that supersedes older copies of itself contains each mark only once")
  func marksOnce() throws {
    // In a snapshot with few items, so many marks would be merged.
    var snapshot = oneDay(Array(1...100))
    var waiting = SnapshotRequest(snapshot, animated: true)
    for turn in 0..<100 {
      try snapshot.reconfigureItems([1 + turn % 3])
      var next = SnapshotRequest(snapshot, animated: true)
      next.absorb([waiting])
      waiting = next
    }
    #expect(waiting.snapshot?.marks.marks.count == 100)
  }

  @Test("D20: a preparation that began before a move is never shown")
  func staleAttempt() {
    let queue = preparing()
    #expect(queue.beginMove() == ["abandon wa"])
    #expect(queue.endMove() == ["prepare a1"])
    #expect(queue.claim(1, attempt: 0) == nil)
    #expect(queue.began(1, by: "wa", attempt: 0) == ["abandon wa"])
    #expect(queue.began(1, by: "wb") == [])
    #expect(queue.beginMove() == ["abandon wb"])
    #expect(queue.endMove() == ["prepare a1"])
    #expect(queue.claim(1) == [])
    #expect(queue.finish(1) == ["a shown"])
  }

  @Test("D9, D20: a request that is cancelled during a move is not prepared")
  func cancelledWhileMoving() {
    let queue = preparing()
    #expect(queue.beginMove() == ["abandon wa"])
    #expect(queue.cancel(1) == ["a cancelled"])
    #expect(queue.endMove() == [])
    #expect(queue.submit("b") == ["prepare b2"])
  }
}
