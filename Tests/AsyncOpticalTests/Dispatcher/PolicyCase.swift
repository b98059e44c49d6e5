@testable import AsyncOptical

/// A sequence of requests under one or more policies, with its own clock.
struct PolicyCase: Sendable, CustomTestStringConvertible {
  /// An event, or a condition that must hold at its position in the sequence.
  enum Step: Sendable {
    case send(Int, DispatchPolicy)
    /// Sends a request that waits at the gate.
    case hold(Int, DispatchPolicy)
    case cancel(String), cancelBag, open, idle
    case pass(Duration)
    case started([Int]), cancelled([Int])
    case done([Int]), doneInAnyOrder(Set<Int>)
    /// The times at which the requests started.
    case times([Duration])
    case noTimer
  }

  let testDescription: String
  let steps: [Step]

  init(_ description: String, _ steps: [Step]) {
    (testDescription, self.steps) = (description, steps)
  }

  func play() async throws {
    let (clock, gate, times) = (TestClock(), Gate(), Log<Duration>())
    let worker = Worker(clock: clock)
    for step in steps {
      switch step {
      case .send(let id, let policy): worker.send(id, policy) { times.append(clock.now.offset) }
      case .hold(let id, let policy):
        worker.send(id, policy) {
          times.append(clock.now.offset)
          await gate.wait()
        }
      case .cancel(let id): worker.cancel(id)
      case .cancelBag: worker.knot.bag.cancel()
      case .open: gate.open()
      case .idle: await untilIdle()
      case .pass(let time): try await clock.sleep(for: time)
      case .started(let ids): try check(worker.started.all, ids, step)
      case .cancelled(let ids): try check(worker.cancelled.all, ids, step)
      case .done(let ids): try check(worker.state.done, ids, step)
      case .doneInAnyOrder(let ids): try check(Set(worker.state.done), ids, step)
      case .times(let expected): try check(times.all, expected, step)
      case .noTimer: try check(clock.sleeperCount, 0, step)
      }
    }
    await untilIdle()
    try check(worker.desk.unfinishedCount, 0, .idle)
  }

  private func check<Value: Equatable>(_ value: Value, _ expected: Value, _ step: Step) throws {
    try TestSupport.hold(value == expected, "\(step): got \(value)")
  }

  static let all: [PolicyCase] = [
    PolicyCase(
      "debounced: a request with a period of zero or less starts immediately, and drops the waiting one",
      [
        .send(0, .debounced("a", for: .zero)), .idle, .send(1, .debounced("a", for: .seconds(-1))),
        .idle, .done([0, 1]), .hold(2, .debounced("a", for: .zero)), .idle, .started([0, 1, 2]),
        .send(3, .debounced("a", for: .seconds(1))), .idle, .send(4, .debounced("a", for: .zero)),
        .idle, .started([0, 1, 2, 4]), .open,
        .send(5, .debounced("a", for: .seconds(1), atMost: .zero)), .idle, .done([0, 1, 4, 5]),
        .times(Array(repeating: .zero, count: 5)),
      ]),
    PolicyCase(
      "serial: the requests of an id run one after another; other ids run concurrently",
      [
        .hold(0, .serial("a")), .send(1, .serial("a")), .send(2, .serial("a")),
        .send(9, .serial("b")), .idle, .started([0, 9]), .open, .idle, .started([0, 9, 1, 2]),
        .done([0, 9, 1, 2]),
      ]),
    PolicyCase(
      "latest: a superseded request is cancelled, and commits nothing",
      [
        .hold(0, .latest("page")), .idle, .send(1, .latest("page")), .idle, .open, .idle,
        .done([1]), .cancelled([0]),
      ]),
    PolicyCase(
      "exclusive: requests are dropped while one is in flight",
      [
        .hold(0, .exclusive("more")), .send(1, .exclusive("more")), .send(2, .exclusive("other")),
        .idle, .open, .idle, .send(3, .exclusive("more")), .idle, .started([0, 2, 3]),
      ]),
    PolicyCase(
      "debounced: only the last request starts, after a quiet period",
      [
        .send(0, search), .pass(.milliseconds(200)), .send(1, search), .pass(.milliseconds(200)),
        .send(2, search), .pass(.milliseconds(400)), .send(3, search), .pass(.seconds(1)),
        .done([2, 3]), .times([.milliseconds(700), .milliseconds(1_100)]), .noTimer,
      ]),
    PolicyCase(
      "debounced: the next request cancels the one in flight, which shows nothing",
      [
        .hold(0, search), .pass(.milliseconds(400)), .started([0]), .send(1, search), .idle, .open,
        .idle, .cancelled([0]), .done([]), .pass(.milliseconds(400)), .done([1]), .noTimer,
      ]),
    PolicyCase(
      "debounced: an earlier, longer quiet period does not delay a shorter one",
      [
        .send(1, .debounced("a", for: .seconds(10))), .send(2, .debounced("a", for: .seconds(1))),
        .pass(.seconds(20)), .done([2]), .times([.seconds(1)]), .noTimer,
      ]),
    PolicyCase(
      "debounced with atMost: the newest message starts when atMost has passed since the first, even if more follow",
      (0..<9).flatMap { [.send($0, busySearch), .pass(.milliseconds(220))] } + [
        .pass(.seconds(1)), .done([4, 8]),
        .times([.seconds(1), .milliseconds(2_060)]), .noTimer,
      ]),
    PolicyCase(
      "throttled: the first request starts immediately, then the last one of each interval",
      (0..<6).flatMap { [.send($0, scroll), .pass(.milliseconds(100))] } + [
        .pass(.seconds(2)), .send(9, scroll), .pass(.seconds(1)), .done([0, 2, 4, 5, 9]),
        .times([0, 240, 480, 720, 2_600].map { .milliseconds($0) }), .noTimer,
      ]),
    PolicyCase(
      "throttled: a request in flight is not cancelled, and a busy lane has no timer",
      [
        .hold(1, .throttled("a", for: .seconds(1))), .send(2, .throttled("a", for: .seconds(1))),
        .pass(.milliseconds(5_300)), .started([1]), .noTimer,
        .send(3, .throttled("a", for: .milliseconds(500))), .idle, .noTimer, .open,
        .pass(.seconds(2)), .done([1, 3]), .times([.zero, .milliseconds(5_500)]), .noTimer,
      ]),
    PolicyCase(
      "throttled: if a request ends exactly at the end of an interval, the next one starts at once",
      [
        .hold(1, .throttled("a", for: .seconds(1))), .pass(.milliseconds(1_500)),
        .send(2, .throttled("a", for: .seconds(1))), .pass(.milliseconds(500)), .open,
        .pass(.seconds(3)), .done([1, 2]), .times([.zero, .seconds(2)]), .noTimer,
      ]),
    PolicyCase(
      "cancelling the bag cancels requests in flight, and leaves the opticle usable",
      [
        .hold(0, .concurrent), .hold(0, .serial("a")), .hold(0, .latest("a")),
        .hold(0, .exclusive("a")), .idle, .cancelBag, .open, .send(1, .concurrent),
        .send(2, .serial("a")), .send(3, .exclusive("b")), .idle, .doneInAnyOrder([1, 2, 3]),
        .cancelled([0, 0, 0, 0]),
      ]),
    PolicyCase(
      "cancel(id) cancels earlier requests of its id, in flight or waiting, and nothing else",
      [
        .hold(1, .latest("a")), .hold(2, .serial("a")), .hold(3, .serial("a")),
        .hold(4, .exclusive("a")), .hold(5, .latest("b")),
        .send(6, .debounced("a", for: .seconds(1))), .cancel("a"), .send(7, .exclusive("a")),
        .send(8, .serial("a")), .idle, .open, .pass(.seconds(2)), .doneInAnyOrder([5, 7, 8]),
      ]),
  ]

  private static let search = DispatchPolicy.debounced("search", for: .milliseconds(300))
  private static let busySearch = DispatchPolicy.debounced(
    "search", for: .milliseconds(300), atMost: .seconds(1))
  private static let scroll = DispatchPolicy.throttled("list", for: .milliseconds(240))
}
