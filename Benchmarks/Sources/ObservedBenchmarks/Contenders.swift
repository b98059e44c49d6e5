import AsyncKnot
import Observation

/// A state of 101 numbers: ten groups of ten numbers, and a single number.
struct Numbers: KnotState {
  struct Group: Sendable, Equatable {
    var (a, b, c, d, e) = (0, 0, 0, 0, 0)
    var (f, g, h, i, j) = (0, 0, 0, 0, 0)
  }
  var (a, b, c, d, e) = (Group(), Group(), Group(), Group(), Group())
  var (f, g, h, i, j) = (Group(), Group(), Group(), Group(), Group())
  var other = 0

  static func defaultState() -> Numbers { Numbers() }
}

/// The holder that is observed.
final class NumbersView: KnotableView {
  nonisolated let knot = Knot<Numbers>()

  func update(_ state: Numbers) {}
}

/// The contender "by hand": a holder with the same state, which updates an `@Observable` class.
final class NumbersByHand: KnotableView {
  nonisolated let knot = Knot<Numbers>()
  let model = NumbersModel()

  func update(_ state: Numbers) { model.take(state) }
}

/// Ten groups of ten tracked properties, and a single property.
@Observable @MainActor final class NumbersModel {
  @Observable @MainActor final class Group {
    var a = 0
    var b = 0
    var c = 0
    var d = 0
    var e = 0
    var f = 0
    var g = 0
    var h = 0
    var i = 0
    var j = 0

    func take(_ new: Numbers.Group) {
      (a, b, c, d, e) = (new.a, new.b, new.c, new.d, new.e)
      (f, g, h, i, j) = (new.f, new.g, new.h, new.i, new.j)
    }
  }

  @ObservationIgnored let groups = (0..<10).map { _ in Group() }
  var other = 0

  func take(_ state: Numbers) {
    groups[0].take(state.a)
    groups[1].take(state.b)
    groups[2].take(state.c)
    groups[3].take(state.d)
    groups[4].take(state.e)
    groups[5].take(state.f)
    groups[6].take(state.g)
    groups[7].take(state.h)
    groups[8].take(state.i)
    groups[9].take(state.j)
    other = state.other
  }
}

/// The key paths that each contender reads: those of all hundred numbers, or those of the ten numbers in a group.
enum Paths {
  static var ours: [KeyPath<Numbers, Int>] {
    let groups: [KeyPath<Numbers, Numbers.Group>] = [
      \.a, \.b, \.c, \.d, \.e, \.f, \.g, \.h, \.i, \.j,
    ]
    let numbers: [KeyPath<Numbers.Group, Int>] = [
      \.a, \.b, \.c, \.d, \.e, \.f, \.g, \.h, \.i, \.j,
    ]
    return groups.flatMap { group in numbers.map { group.appending(path: $0) } }
  }

  @MainActor static var byHand: [KeyPath<NumbersModel.Group, Int>] {
    [\.a, \.b, \.c, \.d, \.e, \.f, \.g, \.h, \.i, \.j]
  }
}

/// A holder with rows.
final class RowsView: KnotableView {
  struct State: KnotState {
    var rows: [Int] = []
    static func defaultState() -> State { State() }
  }
  nonisolated let knot: Knot<State>

  init(count: Int) { knot = Knot(State(rows: Array(repeating: 0, count: count))) }

  func update(_ state: State) {}
}

/// The contender "by hand": each row is a model object, which the holder updates from the same state.
final class RowsByHand: KnotableView {
  @Observable @MainActor final class Row {
    var value = 0
  }
  nonisolated let knot: Knot<RowsView.State>
  let models: [Row]

  init(count: Int) {
    models = (0..<count).map { _ in Row() }
    knot = Knot(RowsView.State(rows: Array(repeating: 0, count: count)))
  }

  func update(_ state: RowsView.State) {
    for (model, value) in zip(models, state.rows) { model.value = value }
  }
}
