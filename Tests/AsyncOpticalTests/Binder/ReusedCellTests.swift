import AsyncKnot
import AsyncKnotTesting
import AsyncOptical
import Testing

/// V2 as a user tests it: public API, code as it is written, explored.
@Suite struct ReusedCellTests {
  /// How often something was played.
  private actor Song: ViewBindable {
    struct State: Sendable, Equatable { var plays = 0 }
    enum Command { case play }
    let knot = Knot(State())
    let first: Int

    init(first: Int) { self.first = first }

    func binding(command: Command) async { accept(1) }
    func reduce(_ action: Int, into state: inout State) { state.plays += action }
  }

  /// Shows a song by a closure, `watch` and `live`.
  @MainActor private final class Row: BindView {
    let binding = ViewBinding<Song>()
    var shown: [Int] = []

    func state(viewBinder: Song) async {
      let first = viewBinder.first
      viewBinder.watch.map(\.plays).live(with: self, in: binding.bag) { row, plays in
        row.shown.append(first + plays)
      }
    }

    func command(viewBinder: Song) async {}
  }

  /// Shows a song by a loop.
  @MainActor private final class Cell: BindCell {
    let binding = ViewBinding<Song>()
    var shown: [Int] = []

    func state(viewBinder: Song) async {
      for await state in viewBinder.states { shown.append(viewBinder.first + state.plays) }
    }

    func command(viewBinder: Song) async {}
  }

  @Test("V2: a row that is used again shows nothing of the song before")
  func row() async {
    await explore(seeds: 2_000) { @MainActor in
      let (old, new) = (Song(first: 1_000), Song(first: 0))
      let row = Row()
      row.viewBinder = old
      let player = Task {
        for _ in 0..<3 {
          old.send(.play)
          await Task.yield()
        }
      }
      for _ in 0..<2 { await Task.yield() }
      row.viewBinder = new
      row.shown = []
      old.send(.play)
      new.send(.play)
      await player.value
      await untilIdle()
      #expect(row.shown.last == 1)
      #expect(row.shown.allSatisfy { $0 < 1_000 })
    }
  }

  @Test("V2: a cell that is used again shows nothing of the song before")
  func cell() async {
    await explore(seeds: 2_000) { @MainActor in
      let (old, new) = (Song(first: 1_000), Song(first: 0))
      let cell = Cell()
      cell.viewBinder = old
      let player = Task.detached {
        for _ in 0..<3 {
          old.send(.play)
          await Task.yield()
        }
      }
      for _ in 0..<2 { await Task.yield() }
      cell.viewBinder = new
      cell.shown = []
      old.send(.play)
      new.send(.play)
      await player.value
      await untilIdle()
      #expect(cell.shown.last == 1)
      #expect(cell.shown.allSatisfy { $0 < 1_000 })
    }
  }
}
