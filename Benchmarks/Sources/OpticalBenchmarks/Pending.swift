import AsyncDiff
import AsyncOptical
import Measure

/// A row of 16 bytes.
struct BenchRow: Diffable, Equatable, Sendable {
  let id: Int
  var value = 0
  var diffIdentifier: Int { id }
}

/// The collection that holds the rows.
protocol BenchRows: Sendable {
  init(count: Int)
  mutating func set(_ row: BenchRow)
}

extension [BenchRow]: BenchRows {
  init(count: Int) { self = (0..<count).map { BenchRow(id: $0) } }
  mutating func set(_ row: BenchRow) { self[row.id] = row }
}

extension LiveTable<BenchRow>: BenchRows {
  init(count: Int) { self.init((0..<count).map { BenchRow(id: $0) }) }
  mutating func set(_ row: BenchRow) { upsert(row) }
}

/// Commits rows while changes are pending.
actor PendingOpticle<Rows: BenchRows>: Opticle {
  struct State: Sendable { var rows: Rows, isLoading = false }
  enum Request: Sendable { case spin, change(Int) }
  enum Response: Sendable { case loading, changed(BenchRow) }
  let knot: Knot<State>
  private let gate = AsyncStream.makeStream(of: Never.self)

  init(count: Int) { knot = Knot(State(rows: Rows(count: count))) }

  func dispatch(_ request: Request) async {
    let gate = gate.stream
    switch request {
    case .spin:
      await load(from: request, showing: .loading) {
        for await _ in gate {}
        throw CancellationError()
      }
    case .change(let id):
      await commit(from: request, expecting: .changed(BenchRow(id: id, value: -1))) {
        for await _ in gate {}
      }
    }
  }
  func mutate(_ state: inout State, response: Response) {
    switch response {
    case .loading: state.isLoading = true
    case .changed(let row): state.rows.set(row)
    }
  }
  func recover(_ state: inout State, request: Request, error: any Error) {}

  /// Commits a number of rows, one after another.
  func commit(_ count: Int) {
    for value in 0..<count { commit(.changed(BenchRow(id: 7, value: value))) }
  }

  func end() { gate.continuation.finish() }
}

/// Measures a commit of one row, in ns: with nothing pending, with a spinner, and with pending changes.
func pending(_ report: Report) async {
  await commits(report, "an array", [BenchRow].self)
  await commits(report, "a LiveTable", LiveTable<BenchRow>.self)
}

private func commits<Rows: BenchRows>(_ report: Report, _ name: String, _: Rows.Type) async {
  for count in [1_000, 100_000] {
    var cells: [String] = []
    for requests: [PendingOpticle<Rows>.Request] in [
      [], [.spin], [.change(1)], (0..<100).map { .change($0) },
    ] {
      let opticle = PendingOpticle<Rows>(count: count)
      for request in requests { opticle.send(request) }
      while await opticle.pendingCount < requests.count { await Task.yield() }
      let commits = requests.isEmpty ? 100_000 : 200
      let time = await minimum(of: 5) { await opticle.commit(commits) }
      cells.append(figure(time.nanoseconds / Double(commits)))
      await opticle.end()
    }
    report.row("\(name), \(count) rows", cells[0], cells[1], cells[2], cells[3])
  }
}

/// Handles requests one at a time, and shows the change of each request until its response arrives.
actor QueueOpticle: Opticle {
  let knot = Knot(0)
  func dispatch(_ request: Int) async {
    await commit(expectationFor: request) { await Task.yield() }
  }
  func expectation(for request: Int) -> Int? { request }
  func mutate(_ state: inout Int, response: Int) { state = max(state, response) }
  func recover(_ state: inout Int, request: Int, error: any Error) {}
  nonisolated func policy(for request: Int) -> DispatchPolicy { .serial("queue") }
}

/// Measures changes that are shown immediately and answered in order, in ns per change.
func settled(_ report: Report) async {
  for count in [1_000, 10_000] {
    let time = await minimum(of: 5) {
      let opticle = QueueOpticle()
      for number in 1..<count { opticle.send(number) }
      await opticle.perform(count)
    }
    report.row("\(count) changes", figure(time.nanoseconds / Double(count)))
  }
}
