// What the samples of AsyncKnotTesting's articles and documentation comments take for granted.
import AsyncKnot
import AsyncKnotTesting
import AsyncOptical
import Synchronization
import Testing

actor Account {
  private(set) var balance = 0
  func deposit(_ amount: Int) { balance += amount }
  func withdraw(_ amount: Int) { if balance >= amount { balance -= amount } }
}

/// Two of them transfer what they have.
enum Transfers {
  actor Account {
    private(set) var balance: Int
    init(balance: Int) { self.balance = balance }
  }
}
func transfer(_ amount: Int, from: Transfers.Account, to: Transfers.Account) async throws {}

actor Counter {
  private(set) var value = 0
  func add(_ amount: Int) { value += amount }
}

actor Stock {
  private(set) var isEmpty = true
  func refill() { isEmpty = false }
}

actor Bank { func charge(_ name: String) {} }

actor CountNode: Knotable {
  struct State: KnotState {
    var count = 0
    static func defaultState() -> State { State() }
  }
  let knot = Knot<State>()
  func update(_ state: State) {}
}
typealias State = CountNode.State

let account = Account()
let node = CountNode()
let stock = Stock()
let clock = TestClock()
let recorder = Recorder(node.states)
@Sendable func scenario() async throws {}
@Sendable func brokenScenario() async throws {}

// What the documentation of AsyncOptical shows.

struct FeedService: Sendable {
  var titles: @Sendable () async throws -> [String]
}

actor Feed: Opticle {
  struct State: Sendable, Equatable { var titles: [String] = [] }
  enum Request: Sendable { case load, clear }
  let knot = Knot(State())
  let service: FeedService
  init(service: FeedService) { self.service = service }

  func dispatch(_ request: Request) async {}
  func mutate(_ state: inout State, response: [String]) {}
  func recover(_ state: inout State, request: Request, error: any Error) {}
}
