// The declarations that the samples of AsyncOptical's articles and documentation comments use without showing them.
import AsyncKnotTesting
import AsyncOptical
import Foundation
import Synchronization
import Testing

struct FeedService: Sendable {
  var titles: @Sendable () async throws -> [String] = { [] }
  func rename(_ title: String) async throws {}
}

struct Shop: Sendable {
  func items() async throws -> [Int: String] { [:] }
  func set(_ id: Int, _ name: String) async throws {}
  func remove(_ id: Int) async throws {}
}

struct PhotoService: Sendable {
  func photos() async throws -> [String] { [] }
  func add(_ photo: String) async throws {}
  func sign(_ photo: String) async throws -> String { photo }
}

actor Feed: Opticle {
  struct State: Sendable, Equatable {
    var titles: [String] = []
    var message = ""
    var isLoading = false
  }
  enum Request: Sendable { case load, clear, open(Int) }
  enum Response: Sendable { case loaded([String]), cleared }
  let knot = Knot(State())
  let service: FeedService

  init(service: FeedService = FeedService()) { self.service = service }

  func dispatch(_ request: Request) async {
    await load(from: request) { .loaded(try await service.titles()) }
  }
  func mutate(_ state: inout State, response: Response) {}
  func recover(_ state: inout State, request: Request, error: any Error) {}
}

nonisolated extension Album.State {
  mutating func add(_ photo: String) { if !photos.contains(photo) { photos.append(photo) } }
}

/// An opticle whose requests are values.
actor Album: Opticle {
  typealias Request = Work<Album>
  typealias Response = Change<State>
  struct State: Sendable { var photos: [String] = [], isLoading = false, message = "" }
  let knot = Knot(State())
  let service = PhotoService()
}

extension Gallery.State {
  mutating func add(_ photo: String) { if !photos.contains(photo) { photos.append(photo) } }
}

actor Gallery: Opticle {
  typealias Request = Work<Gallery>
  typealias Response = Change<State>
  struct State: Sendable {
    var photos: [String] = [], isLoading = false, message = "", isUploading = false, percent = 0
  }
  let knot = Knot(State())
  let service = PhotoService()
  enum OldRequest { case clear }
  func dispatchOld(_ request: OldRequest) async {}
}

/// An opticle whose state is the last response of its service.
actor Titles: Opticle {
  let knot = Knot<[String]>([])
  let service = FeedService()

  func dispatch(_ request: Int) async {}
  func mutate(_ state: inout [String], response: [String]) { state = response }
  func recover(_ state: inout [String], request: Int, error: any Error) {}
}

actor SearchBinder: ViewBindable {
  enum Command: Sendable { case search(String), tap }
  enum Action: Sendable { case found(String), tapped }
  struct State: Sendable { var text = "" }
  let knot = Knot(State())

  func binding(command: Command) async { accept(.tapped) }
  func reduce(_ action: Action, into state: inout State) {}
}

actor SampleBinder: ViewBindable {
  enum Command: Sendable { case fetch }
  enum Action: Sendable { case value(String) }
  struct State: Sendable { var value = "" }
  let knot = Knot(State())

  func binding(command: Command) async { accept(.value("")) }
  func reduce(_ action: Action, into state: inout State) {}
}

/// An opticle that edits a text.
actor TextEditor: Opticle {
  struct State: Sendable, Equatable { var text = "", cursor = 0 }
  enum Request: Sendable { case type(String), move(Int) }
  enum Response: Sendable { case typed(String), moved(Int) }
  let knot = Knot(State())

  func dispatch(_ request: Request) async {}
  func mutate(_ state: inout State, response: Response) {}
  func recover(_ state: inout State, request: Request, error: any Error) {}
}

/// An opticle whose state is kept across runs.
actor Notes: Opticle {
  struct State: Codable, Equatable, Sendable { var notes: [String] = [] }
  let knot = Knot(State())

  func dispatch(_ note: String) async { commit(note) }
  func mutate(_ state: inout State, response: String) { state.notes.append(response) }
  func recover(_ state: inout State, request: String, error: any Error) {}
}

struct Page: Sendable { var posts: [String] = [], next: String? }
struct PostService: Sendable { func page(at cursor: String?) async throws -> Page { Page() } }

/// A part of an opticle. An article adds `dispatch` and the conformance.
actor Forecast {
  struct State: Sendable, Equatable { var text = "", message = "" }
  let knot = Knot(State())
  let service: WeatherService
  let clock: any Clock<Duration>
  init(service: WeatherService, clock: any Clock<Duration>) {
    self.service = service
    self.clock = clock
  }
  func mutate(_ state: inout State, response: String) {}
  func recover(_ state: inout State, request: String, error: any Error) {}
}
struct WeatherService: Sendable {
  var forecast: @Sendable (_ city: String) async throws -> String
}

/// A part of an opticle, which an article completes.
actor FeedOpticle {
  enum Request: Sendable { case load, clear }
  typealias Response = Feed.Response
  typealias State = Feed.State
  let knot = Knot(State())
  let service = FeedService()
}

nonisolated struct CallbackService: Sendable {
  func titles(
    onSuccess: @escaping @Sendable ([String]) -> Void,
    onFailure: @escaping @Sendable (any Error) -> Void
  ) {}
}

/// An opticle that waits until the user stops typing.
actor Search: Opticle {
  let knot = Knot<[String]>([])
  let clock: any Clock<Duration>
  init(clock: any Clock<Duration>) { self.clock = clock }
  func dispatch(_ query: String) async { commit("all about \(query)") }
  func mutate(_ titles: inout [String], response: String) { titles = [response] }
  func recover(_ titles: inout [String], request: String, error: any Error) {}
}

let file = URL(fileURLWithPath: "notes.json")

struct FileStorage: StateStorage {
  let file: URL
  func read() throws -> [UInt8]? { nil }
  func write(_ bytes: [UInt8]) throws {}
  func setAside() throws -> String { "" }
}

@MainActor final class Label { var text = "" }

struct Offline: Error {}
struct Busy: Error { let retryAfter: Duration }
struct Broken: Error {}
struct Unauthorized: Error {}

nonisolated struct Edit: Codable, Identifiable, Sendable { let id: UUID, text: String }

/// An opticle that sends the items of an outbox.
actor Drafts: Opticle {
  enum Request: Sendable { case send(Edit) }
  let knot = Knot<[String]>([])
  func dispatch(_ request: Request) async {}
  func mutate(_ state: inout [String], response: String) {}
  func recover(_ state: inout [String], request: Request, error: any Error) {}
}

let drafts = Drafts()
let feed = Feed()
let editor = TextEditor()
let notes = Notes()
let album = Album()
let saving = TaskBag()
let storage = FileStorage(file: file)
let binder = SearchBinder()
let bag = TaskBag()
let taps = EventChannel<Void>()

func log(_ values: Any...) {}
func draw(_ values: Any...) {}
func show(_ values: Any...) {}
func spin(_ isLoading: Bool) {}
