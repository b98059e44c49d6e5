import AsyncKnot
import Measure
import Observation

/// Bursts of writes on the main actor, which a loop on the main actor observes.
@MainActor
enum Burst {
  /// The time per write, from the first write of a burst until the loop has the last value.
  static func untilLast(
    by count: Int, _ burst: (_ count: Int) async -> Void
  ) async -> Duration {
    await minimum(of: 49) { await burst(count) } / count
  }

  static func states(of view: NumbersView, upTo count: Int) async {
    let last = view.state.other + count
    let reader = Task { for await state in view.states where state.other == last { return } }
    await Task.yield()
    for number in 0..<count {
      view.reduce { $0.other += 1 }
      if number % 10 == 0 { await Task.yield() }
    }
    await reader.value
  }

  @available(macOS 26, *)
  static func observations(of view: NumbersByHand, upTo count: Int) async {
    let last = view.state.other + count
    let reader = Task {
      for await other in Observations({ view.model.other }) where other == last { return }
    }
    await Task.yield()
    for number in 0..<count {
      view.reduce { $0.other += 1 }
      if number % 10 == 0 { await Task.yield() }
    }
    await reader.value
  }
}
