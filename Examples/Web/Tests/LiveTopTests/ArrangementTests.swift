import AsyncDiff
import Testing

@testable import LiveTop
@testable import ProcessBoard

@Suite struct ArrangementTests {
  private let board = {
    var board = Board()
    for second in 1...2 {
      board.add(
        Reading(
          time: Double(second),
          processes: [
            (1, "root", "init", 0.0, 10), (2, "ada", "swift", 0.5, 300), (3, "ada", "VIM", 0.0, 20),
            (4, "ada", "vi", 0.0, 20), (5, "ben", "top", 0.3, 400),
          ].map {
            Reading.Process(
              id: ProcessID(number: $0.0, start: 0), user: $0.1, name: $0.2,
              command: "/bin/\($0.2) -x",
              processorTime: $0.3 * Double(second), memory: $0.4 << 20)
          }))
    }
    return board
  }()

  private func rows(_ options: ViewOptions) -> [[Int]] {
    Arrangement(of: board, by: options).users.map { $0.items.map(\.id.number) }
  }

  @Test func busiestUsersAndProcessesComeFirst() {
    #expect(rows(ViewOptions(ranking: .cpu)) == [[2, 3, 4], [5], [1]])
    #expect(rows(ViewOptions(ranking: .memory)) == [[5], [2, 3, 4], [1]])
  }

  @Test func filterMatchesNamesCommandsUsersAndNumbers() {
    #expect(rows(ViewOptions(filter: "vim")) == [[3]])
    #expect(rows(ViewOptions(filter: "BIN/V")) == [[3, 4]])
    #expect(rows(ViewOptions(filter: "ben")) == [[5]])
    #expect(rows(ViewOptions(filter: "1")) == [[1]])
    #expect(rows(ViewOptions(filter: "nobody")) == [])
    #expect(Arrangement(of: board, by: ViewOptions(filter: "vi")).matches == 2)
  }

  @Test func foldedUserKeepsItsSums() {
    let users = Arrangement(of: board, by: ViewOptions(folded: ["ada"])).users
    #expect(users[0].items.isEmpty)
    #expect(
      users[0].content.user
        == UserContent(name: "ada", count: 3, cpu: 500, memory: 3_400, isFolded: true))
  }

  @Test func pageContainsTheMachineAndTheSelection() {
    var state = TabBinder.State()
    state.selection = ProcessID(number: 2, start: 0)
    let page = Arrangement(of: board, by: state.options).snapshot(for: state, of: board)
    #expect(
      page.sections.map(\.diffIdentifier) == [
        "machine", "view", "user:ada", "user:ben", "user:root",
      ])
    #expect(page.sections[0].content.machine?.processes == 5)
    #expect(page.sections[1].content.view?.selection?.detail?.command == "/bin/swift -x")
    state.selection = ProcessID(number: 2, start: 9)
    let other = Arrangement(of: board, by: state.options).snapshot(for: state, of: board)
    #expect(other.sections[1].content.view?.selection?.detail == nil)
  }

  @Test func pausedTabKeepsItsBoard() {
    var newer = board
    newer.add(Reading(time: 3))
    var state = TabBinder.State()
    state.paused = board
    let arrangements = Arrangements()
    #expect(arrangements.snapshot(of: newer, for: TabBinder.State()).numberOfItems == 0)
    #expect(arrangements.snapshot(of: newer, for: state).numberOfItems == 5)
  }

  @Test func tabsWithTheSameOptionsShareTheirRows() {
    let arrangements = Arrangements()
    let pages = (0..<2).map { _ in arrangements.snapshot(of: board, for: TabBinder.State()) }
    let storages = pages.map { page in
      page.sections[2].items.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
    #expect(storages[0] == storages[1])
  }
}
