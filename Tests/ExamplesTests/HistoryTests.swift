import AsyncKnot
import AsyncKnotTesting
import AsyncOptical
import Foundation
import Testing

@testable import History
@testable import TerminalUI

@Suite(.timeLimit(.minutes(30))) struct HistoryTests {
  /// A service that returns one page with one entry or, if `failure` is set, throws that error.
  ///
  /// A save takes `saveTime`.
  private struct Service: HistoryService {
    var failure: ServiceFailure?
    var saveTime = Duration.zero
    func page(named name: String) async throws -> Page {
      if let failure { throw failure }
      let entry = Entry(id: 1, title: "Lisp", author: "John McCarthy", year: 1958)
      return Page(entries: [entry], next: nil)
    }
    func save(_ entry: Entry) async throws {
      try await Task.sleep(for: saveTime)
      if let failure { throw failure }
    }
  }

  private static func editor(_ service: Service) -> EntryEditor {
    let entry = Entry(id: 1, title: "C", author: "Dennis Ritchie", year: 1972)
    let list = HistoryList(service: service, timeout: .seconds(60))
    return EntryEditor(entry, in: list, timeout: .seconds(60))
  }

  @Test("OR15: the list shows what a screen saves")
  func screensTalk() async throws {
    let list = HistoryList(service: Service(), timeout: .seconds(60))
    await list.dispatch(.reload)
    let entry = try #require(list.state.entries.first)
    let editor = EntryEditor(entry, in: list, timeout: .seconds(60))
    for request in [EntryEditor.Request.edit, .backspace, .type("t"), .save] {
      await editor.dispatch(request)
    }
    #expect(editor.state.phase == .reading)
    for await entries in list.watch.map(\.entries) where entries.first?.title == "List" { break }
  }

  @Test("An invalid title is not saved, and the screen names the problem")
  func validation() async {
    let editor = Self.editor(Service())
    for request in [EntryEditor.Request.edit, .backspace, .save] { await editor.dispatch(request) }
    #expect(editor.state.phase == .editing)
    #expect(editor.state.problem == "A title cannot be blank.")
    await editor.dispatch(.abandon)
    #expect(editor.state.draft == "C")
    #expect(Title.problem(with: String(repeating: "x", count: 41)) != nil)
  }

  @Test("A refused edit remains a draft")
  func refused() async {
    let editor = Self.editor(Service(failure: .status(500, of: "entries/1.json")))
    for request in [EntryEditor.Request.edit, .type("+"), .save] { await editor.dispatch(request) }
    #expect(editor.state.draft == "C+")
    #expect(editor.state.phase == .editing)
    #expect(editor.state.problem == "Not saved. The service failed at entries/1.json (500).")
  }

  @Test(
    "An abandoned save neither ends a later edit nor begins one", arguments: [false, true])
  func abandonedSave(refuses: Bool) async {
    await explore(seeds: 20) {
      let failure = refuses ? ServiceFailure("full") : nil
      let editor = Self.editor(Service(failure: failure, saveTime: .seconds(2)))
      for request in [EntryEditor.Request.edit, .type("+")] { await editor.dispatch(request) }
      editor.send(.save)
      for await state in editor.states where state.phase == .saving { break }
      await editor.dispatch(.abandon)
      if !refuses {
        for request in [EntryEditor.Request.edit, .type("!")] { await editor.dispatch(request) }
      }
      let before = editor.state
      try await Task.sleep(for: .seconds(5))
      #expect(editor.state.phase == before.phase)
      #expect(editor.state.draft == before.draft)
    }
  }

  @Test("While the title is edited, typing can be undone back to the saved title, and redone")
  func undoing() async {
    let editor = Self.editor(Service())
    func draft(after requests: EntryEditor.Request...) async -> String {
      for request in requests { await editor.dispatch(request) }
      return editor.state.draft
    }
    #expect(await draft(after: .edit, .backspace, .type("D"), .undo) == "")
    #expect(editor.state.problem == "A title cannot be blank.")
    #expect(await draft(after: .undo, .undo) == "C")
    #expect(editor.state.phase == .editing)
    #expect(await draft(after: .redo, .redo, .redo) == "D")
    #expect(await draft(after: .save, .undo) == "D")
    #expect(editor.state.entry.title == "D")
    #expect(await draft(after: .edit, .type("!"), .undo, .undo) == "D", "a saved title stays")
  }

  @Test("Following an entry twice ends following it, and a stopped load is reported")
  func followAndStop() {
    var state = HistoryList.State(status: .loading)
    for request in [HistoryList.Request.follow(1), .follow(2), .follow(1), .stop] {
      state.apply(request)
    }
    #expect(state.followed == [2])
    #expect(state.status == .note("Cancelled. Press r to try again."))
  }

  @Test("The shipped pages can be read to the end")
  func shippedPages() async throws {
    let first = try await FolderService.shipped.page(named: HistoryList.firstPage)
    let second = try await FolderService.shipped.page(named: try #require(first.next))
    #expect(second.next == nil)
    #expect(Set((first.entries + second.entries).map(\.id)).count == 16)
  }

  @Test("The screen shows the entries, the number of followed entries, and errors")
  func picture() {
    var state = HistoryList.State()
    state.entries = [Entry(id: 3, title: "ML", author: "Robin Milner", year: 1973)]
    state.followed = [3]
    state.status = .note("There is no server.")
    let frame = HistoryPicture.list(state, selected: 0, size: Size(columns: 30, rows: 8))
    #expect(frame.text(row: 0) == " History           1 followed")
    #expect(frame.text(row: 2) == " > * ML                  1973")
    #expect(frame.text(row: 6) == " There is no server.")
  }

  @Test("Truncated text ends in an ellipsis on every screen")
  func cutText() {
    var list = HistoryList.State()
    let entry = Entry(id: 3, title: "Standard ML of New Jersey", author: "Robin Milner", year: 1973)
    list.entries = [entry]
    list.status = .note("No connection to http://127.0.0.1:9/. Press r to try again.")
    let size = Size(columns: 30, rows: 8)
    let shown = HistoryPicture.list(list, selected: 0, size: size)
    #expect(shown.text(row: 2) == " >   Standard ML of Ne…  1973")
    #expect(shown.text(row: 6) == " No connection to http://127.…")
    #expect(shown.text(row: 7) == " ↑↓ select  enter open  f fol…")
    let editor = HistoryPicture.entry(
      EntryEditor.State(entry: entry, draft: entry.title), in: list, size: size)
    #expect(editor.text(row: 2) == " Title   Standard ML of New J…")
  }

  @Test("A page may begin with a byte order mark")
  func byteOrderMark() throws {
    let json = #"{"entries":[{"id":3,"title":"ML","author":"Robin Milner","year":1973}]}"#
    let page = try PageFile.decode(Data([0xEF, 0xBB, 0xBF] + json.utf8), name: "history.json")
    #expect(page.entries.map(\.title) == ["ML"])
  }

  @Test("An unreadable file is moved aside, and nothing is overwritten")
  func fileStorage() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "history-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "state")
    let archive = Followed.archive(in: file)
    for round in 1...2 {
      try Data("damaged \(round)".utf8).write(to: file)
      guard case .damaged(_, "state.damaged-\(round)") = try await archive.load() else {
        Issue.record("round \(round)")
        return
      }
    }
    guard case .nothing = try await archive.load() else {
      Issue.record("the unreadable file was not moved")
      return
    }
    try Data("AsyncKnot state 1\n[3]".utf8).write(to: file)
    guard case .state(Followed(ids: [3]), migratedFrom: 1) = try await archive.load() else {
      Issue.record("version 1 was not read")
      return
    }
    try await archive.save(Followed(ids: [7]))
    guard case .state(Followed(ids: [7]), nil) = try await archive.load() else {
      Issue.record("the file was not saved")
      return
    }
  }

  @Test("O9: if the folder cannot be read, reading a file throws instead of returning nil")
  func unreadableFolder() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "history-\(UUID().uuidString)")
    let storage = FileStorage(file: folder.appendingPathComponent("notes.json"))
    #expect(try storage.read() == nil)
    try Data("no folder".utf8).write(to: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(throws: CocoaError.self) { try storage.read() }
  }
}
