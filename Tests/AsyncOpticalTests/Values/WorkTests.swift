@testable import AsyncOptical

/// Requests and commands that are values can do everything that enum cases can do.
@Suite struct WorkTests {
  struct Pictures: Sendable, Equatable {
    var photos: [String] = []
    var isLoading = false
    var message = ""
  }

  actor Album: Opticle {
    typealias Request = Work<Album>
    typealias Response = Change<Pictures>
    let knot = Knot(Pictures())
    nonisolated let clock = TestClock()
    let failures = Atomic(0)
    /// The calls that the service received.
    nonisolated let calls = Log<String>()

    /// Calls a service that takes a second, and whose first `failures` calls fail.
    func ask(_ call: String) async throws {
      calls.append(call)
      try await clock.sleep(for: .seconds(1))
      if failures.subtract(1, ordering: .relaxed).oldValue > 0 { throw Broken() }
    }
  }

  actor Screen: ViewBindable {
    typealias Command = Work<Screen>
    typealias Action = Change<Pictures>
    let knot = Knot(Pictures())
  }

  private typealias Cause = CommitCause<Work<Album>, Change<Pictures>>

  private static func causes(_ transitions: [Transition<Cause, Pictures>]) -> [String] {
    transitions.map { transition in
      switch transition.cause {
      case .response(let change): "response \(change)"
      case .loaded(let change): "loaded \(change)"
      case .failure(let work, let error): "failure \(work) \(error)"
      case .expected(let change): "expected \(change)"
      case .withdrawn(let work): "withdrawn \(work)"
      case nil: "restored"
      }
    }
  }

  @Test(
    "O3, O15: if a later request drops a debounced one, the expected change of the dropped one is removed"
  )
  func droppedDebounce() async {
    await exploreContract(seeds: 500, allowing: [.noChoice]) {
      let album = Album()
      album.send(
        Work(.debounced("a", for: .seconds(60)), expecting: { $0.photos = ["dropped"] }) { _ in
        } recover: { _, _ in
        })
      await untilIdle()
      try hold(album.state.photos == ["dropped"], "\(album.state)")
      await album.perform(Work(.debounced("a", for: .zero)) { _ in })
      let count = await album.pendingCount
      try hold(album.state == Pictures() && count == 0, "\(album.state), \(count) pending")
    }
  }

  @Test("O1, O2, O15: a response is applied, an error goes to recover, and both remove the spinner")
  func answers() async {
    await explore(seeds: 20) {
      let album = Album()
      let heard = Recorder(album.transitions)
      album.failures.store(1, ordering: .relaxed)
      await album.perform(.load)
      try hold(album.state == Pictures(message: "Broken()"), "\(album.state)")
      await album.perform(.load)
      try hold(album.state == Pictures(photos: ["a"]), "\(album.state)")
      await album.perform(Work { $0.commit(name: "clear") { $0.photos = [] } })
      try hold(album.state == Pictures(), "\(album.state)")
      let causes = Self.causes(await heard.wait(for: 5))
      let loads = ["expected load", "failure load Broken()", "expected load", "loaded load"]
      try hold(causes == loads + ["response clear"], "\(causes)")
    }
  }

  @Test("A request that is a value is retried and times out as its commit specifies")
  func retries() async {
    await explore(seeds: 20) {
      let album = Album()
      album.failures.store(2, ordering: .relaxed)
      await album.perform(.loadPatiently)
      try hold(album.state.photos == ["a"] && album.calls.all.count == 3, "\(album.state)")
      await album.perform(.loadInHaste)
      try hold(album.state.message == "no response within 0.01 seconds", "\(album.state)")
    }
  }

  @Test(
    "O15: the change of a waiting request is shown, and then confirmed by a response or withdrawn")
  func expected() async {
    await explore(seeds: 20) {
      let album = Album()
      let confirmed = await album.confirmed
      for photo in ["a", "b"] { album.send(.add(photo)) }
      try await album.clock.sleep(for: .milliseconds(500))
      try hold(album.state.photos == ["a", "b"], "shown: \(album.state)")
      try hold(album.calls.all == ["a"] && confirmed.state.photos.isEmpty, "confirmed too early")
      try await album.clock.sleep(for: .seconds(1))
      try hold(confirmed.state.photos == ["a"], "confirmed: \(confirmed.state)")
      album.failures.store(1, ordering: .relaxed)
      try await album.clock.sleep(for: .seconds(1))
      let pending = await album.pendingCount
      try hold(
        album.state == Pictures(photos: ["a"], message: "Broken()") && pending == 0,
        "after the withdrawal: \(album.state)")
    }
  }

  @Test("O15: the result of a request replaces the change that was shown for it")
  func result() async {
    await explore(seeds: 20) {
      let album = Album()
      let confirmed = await album.confirmed
      for photo in ["a", "b"] { album.send(.store(photo)) }
      try await album.clock.sleep(for: .milliseconds(500))
      try hold(album.state.photos == ["a", "b"], "shown: \(album.state)")
      try await album.clock.sleep(for: .seconds(1))
      try hold(album.state.photos == ["a stored", "b"], "shown: \(album.state)")
      try hold(confirmed.state.photos == ["a stored"], "confirmed: \(confirmed.state)")
      album.failures.store(1, ordering: .relaxed)
      try await album.clock.sleep(for: .seconds(1))
      try hold(
        album.state == Pictures(photos: ["a stored"], message: "Broken()"), "\(album.state)")
    }
  }

  @Test(
    "O15: toggles that their handlers compute end in the server's state, however fast the taps are")
  func toggles() async {
    await exploreContract(seeds: 500) {
      let (album, server) = (Album(), Shared<[String]>([]))
      let toggle = Work<Album>(.serial("pin")) { album in
        let photos = album.state.photos.isEmpty ? ["a"] : []
        await album.commit(expecting: { $0.photos = photos }) {
          await Task.yield()
          server.value = photos
        } recover: { _, _ in
        }
      }
      for _ in 1...3 { album.send(toggle) }
      await untilIdle()
      try hold(album.state.photos == ["a"] && server.value == ["a"], "\(album.state.photos)")
    }
  }

  @Test("O15: an edit remains when an earlier load is answered")
  func edits() async {
    await explore(seeds: 20) {
      let album = Album()
      album.send(.load)
      try await album.clock.sleep(for: .milliseconds(500))
      await album.perform(.sign)
      try await album.clock.sleep(for: .seconds(1))
      try hold(album.state == Pictures(photos: ["a"], message: "signed"), "\(album.state)")
    }
  }

  @Test("O7: a value is named after its property, or by file and line if it is a static let")
  func names() async {
    let album = Album()
    let heard = Recorder(album.transitions)
    let line = Requests.line
    let works: [(Work<Album>, String)] = [
      (Requests.first, "WorkTests.swift:\(line)"), (Requests.second, "WorkTests.swift:\(line + 1)"),
      (Requests.computed, "computed"), (Requests.named, "clear"),
      (Album.ofHolder, "WorkTests.swift:\(Album.line)"),
    ]
    for (work, _) in works { await album.perform(work) }
    #expect(works.map(\.0.description) == works.map(\.1))
    #expect(Requests.change.description == "WorkTests.swift:\(line + 4)")
    // A change in the closure of a value has the same name as the value.
    let causes = Self.causes(await heard.wait(for: works.count))
    let expected = ["\(line)", "\(line + 1)"].map { "response WorkTests.swift:\($0)" }
    #expect(Array(causes.prefix(3)) == expected + ["response computed"])
    #expect(causes.last == "response WorkTests.swift:\(Album.line)")
  }

  private enum Requests {
    static let line = #line + 1
    static let first = Work<Album> { $0.commit { $0.message = "1" } }
    static let second = Work<Album> { $0.commit { $0.message = "2" } }
    static var computed: Work<Album> { Work { $0.commit { $0.message = "3" } } }
    static let named = Work<Album>(name: "clear") { $0.commit(name: "clear") { $0 = Pictures() } }
    static let change = Change<Pictures> { $0.message = "4" }
  }

  @Test(
    "O3: a message has the policy of its value, and a static let is named by file and line"
  )
  func policies() {
    let policies = [Album().policy(for: .add("a")), Work<Album>.sign.policy].map { "\($0)" }
    #expect(policies == ["\(DispatchPolicy.serial("add"))", "\(DispatchPolicy.concurrent)"])
    #expect(Work<Album>.sign.description == "WorkTests.swift:\(Work<Album>.lineOfSign)")
    #expect(Change<Pictures>(name: "n") { _ in }.description == "n")
  }

  @Test("O15: the spinner of a request that is a value is shown until its commit ends")
  func spinner() async {
    await exploreContract(seeds: 50, allowing: [.noChoice]) {
      let (album, gate) = (Album(), Gate())
      album.send(
        Work(name: "rename") { album in
          await album.commit(showing: { $0.isLoading = true }) {
            await gate.wait()
            return "tea"
          } mutate: {
            $0.message = $1
          } recover: { _, _ in
          }
        })
      await untilIdle()
      try hold(album.state == Pictures(isLoading: true), "\(album.state)")
      gate.open()
      await untilIdle()
      try hold(album.state == Pictures(message: "tea"), "\(album.state)")
    }
  }

  @Test(
    "V1: a command that is a value runs on its binder, and the changes that it accepts have names")
  func binder() async throws {
    let screen = Screen()
    let heard = Recorder(screen.transitions)
    await screen.perform(
      Work(name: "title") { screen in
        screen.accept(name: "first") { $0.message = "1" }
        screen.accept(Change(name: "second") { $0.message += "2" })
      })
    try #require(screen.state.message == "12")
    let causes = await heard.wait(for: 2).map { $0.cause?.description }
    #expect(causes == ["first", "second"])
  }

  #if DEBUG
    @Test("O2: a debug build traps with a description if no recover handles a failure")
    func unheard() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let album = Album()
        await album.commit(from: Work(name: "silent") { _ in }) { throw Broken() }
      }
      #expect(result.says("silent failed with Broken(), which no 'recover' handles"))
    }
  #endif
}

extension WorkTests.Album {
  static let line = #line + 1
  static let ofHolder = Work<WorkTests.Album> { $0.commit { $0.message = "5" } }
}

extension Work<WorkTests.Album> {
  static var load: Self { load(.never, nil) }
  static var loadPatiently: Self { load(RetryPolicy(attempts: 3) { _, _ in .seconds(1) }, nil) }
  static var loadInHaste: Self { load(.never, .milliseconds(10)) }

  private static func load(_ retries: RetryPolicy, _ timeout: Duration?) -> Self {
    Work { album in
      await album.load(showing: { $0.isLoading = true }, name: "load") {
        try await album.retry(retries, timeout: timeout) { try await album.ask("load") }
      } mutate: { state, _ in
        (state.photos, state.message) = (["a"], "")
      } recover: {
        $0.message = "\($1)"
      }
    }
  }

  static func add(_ photo: String) -> Self {
    Work(.serial("add"), expecting: { if !$0.photos.contains(photo) { $0.photos.append(photo) } }) {
      try await $0.ask(photo)
    } recover: {
      $0.message = "\($1)"
    }
  }

  static func store(_ photo: String) -> Self {
    Work(.serial("add"), expecting: { if !$0.photos.contains(photo) { $0.photos.append(photo) } }) {
      try await $0.ask(photo)
      return "\(photo) stored"
    } mutate: {
      if !$0.photos.contains($1) { $0.photos.append($1) }
    } recover: {
      $0.message = "\($1)"
    }
  }

  static let lineOfSign = #line + 1
  static let sign = Work { $0.commit { $0.message = "signed" } }
}
