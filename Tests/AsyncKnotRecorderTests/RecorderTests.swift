import AsyncKnotTesting
import AsyncOptical
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AsyncKnotRecorder

/// A list with a title, which declares its requests as values.
private actor Shelf: Opticle {
  struct Row: Sendable, Equatable { var id: Int, title = "" }
  struct State: Sendable, Equatable { var title = "shelf", rows: [Row] = [] }
  typealias Request = Work<Shelf>
  typealias Response = Change<State>

  let knot: Knot<State>

  init(_ state: State = State()) { knot = Knot(state) }
}

private struct Refused: Error {}

private struct Hostile: Error, CustomStringConvertible { let description: String }

nonisolated extension Work<Shelf> {
  fileprivate static func rename(_ title: String) -> Self {
    Work(.serial("rename"), name: "rename") { $0.commit { $0.title = title } }
  }
  fileprivate static func fail(with error: any Error, name: String = "fail") -> Self {
    Work(name: name) {
      await $0.load {
        throw error
      } mutate: { _, _ in
      } recover: {
        $0.title = "\($1)"
      }
    }
  }
}

@Suite struct RecorderTests {
  private func entries(_ recorder: FlightRecorder) -> [Entry] {
    recorder.entries.read(\.all)
  }

  private func kinds(_ recorder: FlightRecorder) -> [String] { entries(recorder).map(\.kind) }

  @Test("O21: a recording has every event of a request, and each change with the part that changed")
  func events() async throws {
    let (recorder, shelf) = (FlightRecorder(), Shelf())
    recorder.watch(shelf, as: "Shelf")
    await shelf.perform(.rename("tea"))
    #expect(kinds(recorder) == ["watched", "sent", "started", "changed", "carriedOut"])
    let change = try #require(entries(recorder).first { $0.kind == "changed" })
    #expect(
      change.parts == [StatePart(name: "title", value: "\"tea\"", lines: ["\"shelf\" → \"tea\""])])
    await shelf.perform(.fail(with: Refused()))
    #expect(kinds(recorder).suffix(4) == ["sent", "started", "changed", "failed"])
  }

  @Test(
    "O21: times never decrease, and a request's cause is the request whose handler sent it")
  func order() async {
    let (recorder, shelf) = (FlightRecorder(), Shelf())
    recorder.watch(shelf, as: "Shelf")
    await shelf.perform(Work(name: "outer") { await $0.perform(.rename("inner")) })
    let all = entries(recorder)
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.time <= $1.time })
    let sent = all.filter { $0.kind == "sent" }
    #expect(sent.count == 2)
    #expect(sent.first?.cause == 0)
    #expect(sent.last?.cause == sent.first?.message)
  }

  @Test(
    "O21: a full recorder drops the oldest events, counts them, and keeps the state before the oldest remaining event"
  )
  func ring() async {
    let (recorder, shelf) = (FlightRecorder(last: 4), Shelf())
    recorder.watch(shelf, as: "Shelf")
    for title in ["one", "two"] { await shelf.perform(.rename(title)) }
    #expect(kinds(recorder) == ["sent", "started", "changed", "carriedOut"])
    #expect(recorder.droppedCount == 5)
    #expect(recorder.page().contains(#"{"dropped":5,"#))
    let state = recorder.entries.read { $0.holders[0].state }
    #expect(state.first { $0.name == "title" }?.value == "\"one\"")
  }

  @Test(
    "O21: a holder stays on the page with its state until it is released, even if all its events were dropped"
  )
  func quietHolder() async {
    let (recorder, busy) = (FlightRecorder(last: 4), Shelf())
    do {
      let quiet = Plain()
      recorder.watch(quiet, as: "Quiet")
      recorder.watch(busy, as: "Busy")
      await busy.perform(.rename("tea"))
      #expect(!kinds(recorder).contains("watched"))
      #expect(recorder.page().contains(#"{"name":"Quiet","state":[["count","0",[]]]}"#))
    }
    await waitWhile(
      {
        recorder.watch(busy, as: "Again")
        return recorder.page().contains("Quiet")
      }())
  }

  @Test("O21: a change is recorded, even if the beginning of the property's text stays the same")
  func longValues() async {
    let text = String(repeating: "a", count: 200)
    let (recorder, shelf) = (FlightRecorder(), Shelf(Shelf.State(title: text)))
    recorder.watch(shelf, as: "Shelf")
    await shelf.perform(.rename(text + "b"))
    let change = entries(recorder).first { $0.kind == "changed" }
    #expect(change?.parts.map(\.name) == ["title"])
    #expect(change?.parts.first?.lines.count == 1)
  }

  @Test("O21: an Equatable property that is unchanged is not converted to text")
  func costOfUnchangedProperty() async {
    struct Rows: Sendable, Equatable, CustomStringConvertible {
      static let count = Mutex(0)
      var description: String {
        Self.count.withLock { $0 += 1 }
        return "rows"
      }
    }
    struct State: Sendable, Equatable { var rows = Rows(), number = 0 }
    let before = StatePart.parts(of: State())
    let known = Rows.count.withLock { $0 }
    #expect(StatePart.changed(from: State(), to: State(number: 1)).map(\.name) == ["number"])
    #expect(before.map(\.name) == ["rows", "number"] && Rows.count.withLock { $0 } == known)
  }

  @Test(
    "O21: a change is described with at most 24 lines besides “…”, however many properties it changes"
  )
  func manyLines() {
    struct State: Sendable, Equatable { var first = [Int](), second = [Int](), third = [Int]() }
    let numbers = Array(0..<20)
    let parts = StatePart.changed(
      from: State(), to: State(first: numbers, second: numbers, third: numbers))
    #expect(parts.map(\.name) == ["first", "second", "third"])
    #expect(parts.map { $0.lines.count { $0 != "…" } } == [20, 4, 0])
    #expect(parts.map { $0.lines.last == "…" } == [false, true, true])
  }

  @Test("O21: the size of an event includes its changes")
  func sizeOfAChange() async throws {
    let (recorder, shelf) = (FlightRecorder(), Shelf())
    recorder.watch(shelf, as: "Shelf")
    await shelf.perform(.rename(String(repeating: "a", count: 500)))
    let change = try #require(entries(recorder).first { $0.kind == "changed" })
    let text = change.parts.reduce(0) {
      $0 + ($1.value?.utf8.count ?? 0) + $1.lines.joined().utf8.count
    }
    #expect(change.byteCount >= change.json.utf8.count + text)
  }

  @Test(
    "O21: a change that was dropped before the holder's first state was read is part of the holder's state"
  )
  func droppedBeforeTheFirstState() {
    struct State: Sendable { var count = 0, title = "tea" }
    let (buffer, watched) = (EntryBuffer(1, 1_000_000), Watched("Early"))
    buffer.append(
      Entry("changed", at: 0, of: watched, parts: [StatePart(name: "count", value: "1")]))
    buffer.begin(watched, with: State())
    let state = buffer.read { $0.holders[0].state }
    #expect(state.map(\.value) == ["1", "\"tea\""])
  }

  @Test("O21: a timeout and a retry are recorded with their times")
  func timeoutsAndRetries() async {
    let (recorder, shelf) = (FlightRecorder(), Shelf())
    recorder.watch(shelf, as: "Shelf")
    await shelf.perform(
      Work(name: "wait") { shelf in
        _ = try? await shelf.retry(
          RetryPolicy(attempts: 2) { _, _ in .zero }, timeout: .milliseconds(3)
        ) { try await Task.sleep(for: .seconds(600)) }
      })
    let texts = entries(recorder).filter { ["timedOut", "retrying"].contains($0.kind) }.map(\.json)
    #expect(texts.count == 3)
    #expect(texts.allSatisfy { $0.contains(#""text":"after "#) })
    #expect(texts.first?.contains("0.003 seconds") == true)
  }

  @Test(
    "O21: an empty description is an empty value, and a property that the new state lacks has no value"
  )
  func emptyValues() {
    struct Draft: Sendable, Equatable, CustomStringConvertible { var description = "" }
    struct Before: Sendable { var draft = Draft(description: "tea") }
    struct After: Sendable { var other = 1 }
    let emptied = StatePart.changed(from: Before(), to: Before(draft: Draft()))
    #expect(emptied.map(\.value) == [""])
    let lost = StatePart.changed(from: Before(), to: After())
    #expect(lost.map(\.name) == ["draft", "other"] && lost.map(\.value) == [nil, "1"])
    #expect(StatePart.parts(of: Before()).applying(lost).map(\.value) == [nil, "1"])
  }

  @Test("O21: a recorder drops events when their bytes reach the limit, and keeps the newest")
  func bytes() async {
    let (recorder, shelf) = (FlightRecorder(last: 10_000, bytes: 4_000), Shelf())
    recorder.watch(shelf, as: "Shelf")
    for number in 0..<100 { await shelf.perform(.rename("title \(number)")) }
    #expect(recorder.byteCount <= 4_000)
    #expect(recorder.droppedCount > 300)
    #expect(entries(recorder).last?.kind == "carriedOut")
  }

  @Test(
    "O21: a second of a busy screen, 60 changes and 200 other events over 1,000 rows, takes less than 1 MB"
  )
  func memory() async {
    let rows = (0..<1_000).map {
      Shelf.Row(id: $0, title: "A row with a title of some length, \($0)")
    }
    let (recorder, shelf) = (FlightRecorder(), Shelf(Shelf.State(rows: rows)))
    recorder.watch(shelf, as: "Shelf")
    for number in 0..<60 {
      await shelf.perform(
        Work(name: "edit") { shelf in
          shelf.commit { $0.rows[number * 16].title = "Edited, \(number)" }
        })
    }
    for _ in 0..<7 { await shelf.perform(Work(name: "nothing") { _ in }) }
    #expect(entries(recorder).count > 260)
    #expect(recorder.byteCount < 1_000_000)
    // The recorder counts at least as many bytes as it stores.
    let stored = entries(recorder).reduce(0) { sum, entry in
      entry.parts.reduce(sum + entry.json.utf8.count) {
        $0 + ($1.value?.utf8.count ?? 0) + $1.lines.joined().utf8.count
      }
    }
    #expect(recorder.byteCount >= stored)
  }

  @Test("O21: a recorder does not keep holders alive, and a released recorder stops recording")
  func lifetime() async {
    weak var weakShelf: Shelf?
    weak var weakEntries: EntryBuffer?
    let other = Shelf()
    do {
      let recorder = FlightRecorder()
      do {
        let shelf = Shelf()
        weakShelf = shelf
        recorder.watch(shelf, as: "Shelf")
        await shelf.perform(.rename("tea"))
      }
      await waitWhile(weakShelf != nil)
      recorder.watch(other, as: "Other")
      weakEntries = recorder.entries
    }
    // The handler is released at the next event.
    #expect(weakEntries?.read(\.byteCount) == 0)
    await other.perform(.rename("tea"))
    await waitWhile(weakEntries != nil)
  }

  @Test("O21: each change of a source without requests is recorded once")
  func plainSource() async {
    await exploreContract(seeds: 500, allowing: [.noChoice]) {
      let (recorder, node) = (FlightRecorder(), Plain())
      recorder.watch(node, as: "Plain")
      await node.reduce { $0.count = 1 }
      await untilIdle()
      await node.reduce { _ in }
      await node.reduce { $0.count = 0 }
      await untilIdle()
      let changes = entries(recorder).map { $0.parts.flatMap(\.lines) }
      try hold(
        changes == [[], ["0 → 1"], ["1 → 0"]], "expected each change once, got \(changes)")
    }
  }

  @Test(
    "O21: applying the recorded changes to the first state gives the last state, even if tasks send concurrently"
  )
  func explored() async {
    await exploreContract(seeds: 1_000) {
      let (recorder, shelf) = (FlightRecorder(last: 6), Shelf())
      recorder.watch(shelf, as: "Shelf")
      await withTaskGroup { group in
        for title in ["a", "b", "c"] { group.addTask { _ = await shelf.perform(.rename(title)) } }
      }
      await untilIdle()
      let (all, first) = recorder.entries.read { ($0.all, $0.holders[0].state) }
      let last = all.reduce(first) { $0.applying($1.parts) }
      let shown = last.first { $0.name == "title" }?.value
      try hold(shown == shelf.state.title.debugDescription, "recorded \(shown ?? "nil") last")
    }
  }

  @Test("O21: no event is lost if threads send while a page is created")
  func threads() async {
    let (recorder, shelf) = (FlightRecorder(last: 100_000), Shelf())
    recorder.watch(shelf, as: "Shelf")
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { for number in 0..<200 { await shelf.perform(.rename("\(number)")) } }
      }
      group.addTask { for _ in 0..<20 { _ = recorder.page() } }
    }
    // Events that happen during a handler's call are delivered after it, perhaps by a separate task.
    await waitWhile(kinds(recorder).count { $0 == "carriedOut" } < 800)
    #expect(kinds(recorder).count { $0 == "sent" } == 800)
    #expect(kinds(recorder).count { $0 == "carriedOut" } == 800)
    #expect(recorder.droppedCount == 0)
  }

  private actor Plain: StateActor {
    struct State: Sendable, Equatable { var count = 0 }
    let knot = Knot(State())
  }
}

/// The HTML page of a recording.
@Suite struct RecorderPageTests {
  private let hostile = "</script><img src=x onerror=alert(1)>\u{2028}\u{0}\"\\<!--"

  @Test("O21: a state, a name or an error cannot end the page's data or run as code")
  func escaping() async throws {
    let (recorder, shelf) = (FlightRecorder(), Shelf())
    recorder.watch(shelf, as: hostile)
    await shelf.perform(.rename(hostile))
    await shelf.perform(.fail(with: Hostile(description: hostile), name: hostile))
    let page = recorder.page()
    #expect(page.components(separatedBy: "</script>").count == 3)
    #expect(!page.contains("<img"))
    #expect(!page.contains("<!--"))
    let data = try #require(page.components(separatedBy: #"type="application/json">"#).last)
    let json = try #require(data.components(separatedBy: "</script>").first)
    let run = try JSONDecoder().decode(Run.self, from: Data(json.utf8))
    #expect(run.holders.first?.name.hasPrefix("</script><img") == true)
    #expect(
      run.events.contains { $0.parts.joined().contains { $0.text?.contains("<img") == true } })
  }

  @Test("O21: on a page with several holders, each event belongs to its own holder")
  func holdersOfEvents() async throws {
    let (recorder, shelves) = (FlightRecorder(), [Shelf(), Shelf(), Shelf()])
    for (number, shelf) in shelves.enumerated() { recorder.watch(shelf, as: "Shelf \(number)") }
    for shelf in shelves.reversed() { await shelf.perform(.rename("tea")) }
    let page = recorder.page()
    let data = try #require(page.components(separatedBy: #"type="application/json">"#).last)
    let json = try #require(data.components(separatedBy: "</script>").first)
    let run = try JSONDecoder().decode(Run.self, from: Data(json.utf8))
    #expect(run.holders.map(\.name) == ["Shelf 0", "Shelf 1", "Shelf 2"])
    #expect(run.events.map(\.holder).prefix(3) == [0, 1, 2])
    #expect(
      run.events.dropFirst(3).map(\.holder)
        == [2, 1, 0].flatMap { Array(repeating: $0, count: 4) })
  }

  @Test("O21: a page loads nothing and allows only its own script")
  func selfContained() throws {
    let page = FlightRecorder().page()
    #expect(!page.contains("http:") && !page.contains("https:") && !page.contains("src="))
    let nonces = page.matches(of: /nonce-([0-9a-z]+)/).map(\.1)
    #expect(Set(nonces).count == 1)
    let nonce = try #require(nonces.first)
    let sources = "script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'\">"
    #expect(page.contains("default-src 'none'; base-uri 'none'; form-action 'none'; \(sources)"))
    #expect(page.contains("<script nonce=\"\(nonce)\">"))
  }

  private struct Run: Decodable {
    struct Holder: Decodable { let name: String }
    struct Event: Decodable {
      let holder: Int
      let parts: [[Part]]
    }
    /// A name or a value, stored in `text`, or a list of lines.
    ///
    /// `text` is `nil` for a list.
    struct Part: Decodable {
      let text: String?
      init(from decoder: any Decoder) throws {
        text = try? decoder.singleValueContainer().decode(String.self)
      }
    }
    let holders: [Holder]
    let events: [Event]
  }
}
