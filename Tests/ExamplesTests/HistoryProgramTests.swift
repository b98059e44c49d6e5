import AsyncKnot
import AsyncKnotTesting
import AsyncOptical
import Synchronization
import Testing

@testable import History
@testable import TerminalUI

/// The program behind the screens: its keys, its requests, and the saved entries.
@Suite struct HistoryProgramTests {
  /// A service that refuses every edit, and whose pages and delays the test sets.
  private final class Service: HistoryService {
    let pages: Mutex<[String: Page]>
    let asked = Mutex<[String]>([])
    private let delays: [String: Duration]

    init(_ pages: [String: Page], delays: [String: Duration] = [:]) {
      self.pages = Mutex(pages)
      self.delays = delays
    }

    func page(named name: String) async throws -> Page {
      let page = pages.withLock { $0[name] }
      asked.withLock { $0.append(name) }
      if let delay = delays[name] { try await Task.sleep(for: delay) }
      guard let page else { throw ServiceFailure("There is no \(name).") }
      return page
    }

    func save(_ entry: Entry) async throws { throw ServiceFailure("The service is full.") }
  }

  /// Storage that cannot be read at the moment.
  private final class Locked: StateStorage {
    struct Unreadable: Error {}
    let writes = Atomic(0)
    func read() throws -> [UInt8]? { throw Unreadable() }
    func write(_ bytes: [UInt8]) { writes.add(1, ordering: .relaxed) }
    func setAside() -> String { "aside" }
  }

  private static func page(_ ids: ClosedRange<Int>, next: String? = nil) -> Page {
    Page(entries: ids.map { Entry(id: $0, title: "T\($0)", author: "A", year: 1970) }, next: next)
  }

  @MainActor private static func program(_ service: Service) -> HistoryProgram {
    HistoryProgram(
      service: service, timeout: .seconds(60), size: Size(columns: 70, rows: 12)
    ) { _ in }
  }

  @MainActor private static func press(_ program: HistoryProgram, _ keys: Key...) async {
    for key in keys {
      #expect(program.press(key))
      await untilIdle()
    }
  }

  @Test(
    "If saved entries cannot be read, neither the key f nor the end of the program overwrites them")
  func unreadable() async {
    await explore(seeds: 20) { @MainActor in
      let storage = Locked()
      let archive = StateArchive<Followed>(
        storage: storage, encode: { _ in [] }, decode: { _ in Followed() })
      let program = Self.program(Service([HistoryList.firstPage: Self.page(1...3)]))
      await program.start(archive)
      await untilIdle()
      await Self.press(program, .character("f"))
      try await program.stop(archive)
      #expect(program.list.state.followed == [1])
      #expect(program.list.state.notice?.contains("cannot be read now") == true)
      #expect(storage.writes.load(ordering: .relaxed) == 0)
    }
  }

  @Test("The selection stays on an entry when a reload shortens the list")
  func selection() async {
    await explore(seeds: 20) { @MainActor in
      let service = Service([HistoryList.firstPage: Self.page(1...3)])
      let program = Self.program(service)
      await program.start(nil)
      await untilIdle()
      await Self.press(program, .down, .down)
      #expect(program.selected == 2)
      service.pages.withLock { $0[HistoryList.firstPage] = Self.page(1...1) }
      await Self.press(program, .character("r"))
      #expect(program.selected == 0)
      #expect(program.frame.text(row: 2).hasPrefix(" >   T1"))
    }
  }

  @Test("After the key c, the page that was being loaded does not appear")
  func cancelled() async {
    await explore(seeds: 20) { @MainActor in
      let name = HistoryList.firstPage
      let program = Self.program(Service([name: Self.page(1...3)], delays: [name: .seconds(2)]))
      await program.start(nil)
      for await state in program.list.states where state.status == .loading { break }
      await Self.press(program, .character("c"))
      try await Task.sleep(for: .seconds(5))
      #expect(program.list.state.entries.isEmpty)
      #expect(program.list.state.status == .note("Cancelled. Press r to try again."))
    }
  }

  @Test("An edit that the service refuses does not change the list")
  func refusedEdit() async throws {
    await explore(seeds: 20) {
      let service = Service([HistoryList.firstPage: Self.page(1...1)])
      let list = HistoryList(service: service, timeout: .seconds(60))
      await list.dispatch(.reload)
      let editor = EntryEditor(list.state.entries[0], in: list, timeout: .seconds(60))
      for request in [EntryEditor.Request.edit, .type("+"), .save] {
        await editor.dispatch(request)
      }
      await untilIdle()
      #expect(editor.state.draft == "T1+")
      #expect(list.state.entries.map(\.title) == ["T1"])
    }
  }

  @Test("A page that was requested before a reload is not appended to the new list")
  func staleMore() async {
    await explore(seeds: 20) {
      let service = Service(
        [HistoryList.firstPage: Self.page(1...2, next: "2"), "2": Self.page(3...4)],
        delays: ["2": .seconds(2)])
      let list = HistoryList(service: service, timeout: .seconds(60))
      await list.dispatch(.reload)
      list.send(.more)
      await untilIdle()
      service.pages.withLock { $0[HistoryList.firstPage] = Self.page(7...8) }
      list.send(.reload)
      try await Task.sleep(for: .seconds(5))
      #expect(service.asked.withLock { $0 } == [HistoryList.firstPage, "2", HistoryList.firstPage])
      #expect(list.state.entries.map(\.id) == [7, 8])
    }
  }

  @Test("A page that takes too long is not requested again")
  func timeout() async {
    await explore(seeds: 20) {
      let name = HistoryList.firstPage
      let service = Service([name: Self.page(1...1)], delays: [name: .seconds(600)])
      let list = HistoryList(service: service, timeout: .seconds(1))
      await list.dispatch(.reload)
      #expect(service.asked.withLock { $0 } == [name])
      #expect(list.state.status == .note("no response within 1.0 seconds. Press r to try again."))
    }
  }

  @Test("A title of exactly 40 characters is valid")
  func longestTitle() {
    #expect(Title.problem(with: String(repeating: "x", count: 40)) == nil)
  }
}
