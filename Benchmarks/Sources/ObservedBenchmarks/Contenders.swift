import AsyncKnot
import Observation

/// A holder with rows.
final class RowsView: KnotableView {
  struct State: KnotState {
    var rows: [Int] = []
    static func defaultState() -> State { State() }
  }
  nonisolated let knot: Knot<State>
  private var turn = 0

  init(count: Int) { knot = Knot(State(rows: Array(repeating: 0, count: count))) }

  func track(_ profile: Observed<State>, _ row: Int) {
    withObservationTracking({ _ = profile[\.rows, at: row] }, onChange: {})
  }

  /// Changes one row, and tracks it again as a view that is drawn again does.
  func write(_ tracked: Observed<State>?) {
    let row = turn % state.rows.count
    turn += 1
    reduce { $0.rows[row] += 1 }
    if let tracked { track(tracked, row) }
  }
}

/// What is written by hand for the same: each row a model of its own, brought up to date from a state.
@MainActor final class RowModels {
  @Observable @MainActor final class Row {
    var value = 0
  }

  let models: [Row]
  private var state: [Int]
  private var turn = 0

  init(count: Int) {
    models = (0..<count).map { _ in Row() }
    state = Array(repeating: 0, count: count)
  }

  func track(_ row: Int) {
    withObservationTracking({ _ = models[row].value }, onChange: {})
  }

  func write(isTracked: Bool) {
    let row = turn % state.count
    turn += 1
    var new = state
    new[row] += 1
    state = new
    for (model, value) in zip(models, state) where model.value != value { model.value = value }
    if isTracked { track(row) }
  }
}

/// A holder with properties.
final class FieldsView: KnotableView {
  struct State: KnotState {
    var (a, b, c, d) = (0, 0, 0, 0)
    var (e, f, g, h) = ("e", "f", "g", "h")
    static func defaultState() -> State { State() }
  }
  nonisolated let knot = Knot<State>()
}

extension Observed<FieldsView.State> {
  func read(_ count: Int) {
    _ = a
    if count > 1 { _ = (b, c, d, e, f, g, h) }
  }
}

/// What is written by hand for the same.
@Observable @MainActor final class FieldsModel {
  var (a, b, c, d) = (0, 0, 0, 0)
  var e = "e"
  var f = "f"
  var g = "g"
  var h = "h"
  @ObservationIgnored private var state = FieldsView.State()

  func read(_ count: Int) {
    _ = a
    if count > 1 { _ = (b, c, d, e, f, g, h) }
  }

  func write() {
    state.a += 1
    a = state.a
    b = state.b
    c = state.c
    d = state.d
    e = state.e
    f = state.f
    g = state.g
    h = state.h
  }
}
