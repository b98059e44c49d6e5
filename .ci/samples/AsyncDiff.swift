// The declarations that the samples of AsyncDiff's articles and documentation comments use without showing them.
import AsyncDiff
import AsyncDiffTesting
import AsyncKnot
import AsyncKnotTesting
import Foundation
import Testing

struct Article: Nodable, Codable, Hashable {
  let number: Int
  var title = ""
  var diffIdentifier: Int { number }
  func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
    { TitleNode() }
  }
}

struct Day: SectionInflator, Codable, Equatable {
  let diffIdentifier: String
  var items: [Article]
  var content: String { diffIdentifier }
}

struct TitleNode: CellNode {}

struct Banner: Nodable {
  var imageName = ""
  var diffIdentifier: String { imageName }
  func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
    { TitleNode() }
  }
}

enum HomeSection: SectionInflator {
  case banner(Banner)
  var diffIdentifier: Int { 0 }
  var items: [AnyNodable] { [] }
}

struct Poll: Nodable {
  let diffIdentifier: Int
  func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
    { TitleNode() }
  }
}
struct Vote: Sendable { let choice: Int }

actor Screen: CollectionSurface {
  func reloadData(_ snapshot: DiffableSnapshot<Day>) throws {}
  func performBatchUpdates(_ batch: BatchUpdates<Day>, animated: Bool) throws {}
  func select(_ paths: Set<ItemPath>) {}
  func scroll(to path: ItemPath?) {}
}

actor Model: StateActor {
  struct State: Sendable { var sections: [Day] = [] }
  let knot = Knot(State())
}

let (old, new) = ([Article](), [Article]())
let (shown, received) = (DiffableSnapshot<Day>(), DiffableSnapshot<Day>())
let sections: [Day] = []
let article = Article(number: 1)
let path = ItemPath(section: 0, item: 0)
let (selection, topRow) = (Set<ItemPath>(), path)
let snapshot = shown
let change = Changeset(from: old, to: new)
let row = 0
let banner = Banner()
let poll = Poll(diffIdentifier: 1)
let channel = NodeEventChannel()
let batch = shown.batches(to: received)[0]

let surface = Screen()
let listView = surface
let source = DiffableDataSource(surface: surface)
let model = Model()
let bag = TaskBag()

struct Quote: Diffable, Equatable, Codable, Sendable {
  let id: String
  var exchange = "", price = 0.0, volume = 0, isOpen = true
  var diffIdentifier: String { id }
}
struct Order: Diffable, Equatable, Sendable {
  let id: Int
  var customer = 0, isPaid = false
  var diffIdentifier: Int { id }
}
struct Customer: Diffable, Equatable, Sendable {
  let id: Int
  var name = ""
  var diffIdentifier: Int { id }
}
actor Market: StateActor { let knot = Knot(LiveTable<Quote>()) }
actor Shop: StateActor {
  struct State: Sendable { var orders = LiveTable<Order>(), customers = LiveTable<Customer>() }
  let knot = Knot(State())
}
actor Orders: StateActor { let knot = Knot(LiveTable<Order>()) }
actor Customers: StateActor { let knot = Knot(LiveTable<Customer>()) }
let market = Market()
let (orders, customers) = (Orders(), Customers())
let ticks = AsyncStream<Quote> { $0.finish() }

func open(_ article: Article) {}

struct Connection {
  func send(_ data: Data, id: String) async throws {}
  func acknowledgment(of revision: SnapshotRevision) async throws {}
}
let connection = Connection()
let (encoder, lastEventID) = (JSONEncoder(), "")

@MainActor final class Label { var text = "" }
