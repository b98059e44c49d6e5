import Testing

@testable import WebServer

@Suite struct ArrivalsTests {
  @Test func overdueRequestsEndOnce() {
    let arrivals = Arrivals()
    let start = ContinuousClock.now
    arrivals.expect(on: 3, from: start)
    arrivals.expect(on: 4, from: start)
    arrivals.expect(on: 5, from: start + .seconds(5))
    arrivals.forget(4)
    var ended: [Int32] = []
    arrivals.endOverdue(at: start + .seconds(10), after: .seconds(10)) { ended.append($0) }
    #expect(ended == [])
    arrivals.endOverdue(at: start + .seconds(11), after: .seconds(10)) { ended.append($0) }
    #expect(ended == [3])
    arrivals.endOverdue(at: start + .seconds(16), after: .seconds(10)) { ended.append($0) }
    #expect(ended == [3, 5])
  }

  @Test func requestThatCanNoLongerArriveEndsImmediately() {
    let arrivals = Arrivals()
    let start = ContinuousClock.now
    for socket in 3...5 as ClosedRange<Int32> { arrivals.expect(on: socket, from: start) }
    var ended: [Int32] = []
    for _ in 0..<2 {
      arrivals.endOverdue(at: start, after: .seconds(20), orWhere: { $0 == 4 }) { ended.append($0) }
    }
    #expect(ended == [4])
  }

  @Test func newRequestRestartsTheTimeLimit() {
    let arrivals = Arrivals()
    let start = ContinuousClock.now
    arrivals.expect(on: 3, from: start)
    arrivals.expect(on: 3, from: start + .seconds(8))
    var ended: [Int32] = []
    arrivals.endOverdue(at: start + .seconds(12), after: .seconds(10)) { ended.append($0) }
    #expect(ended == [])
  }
}
