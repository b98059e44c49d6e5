// The declarations that the samples of ExploreTesting's articles and documentation comments use without showing them.
import ExploreTesting
import Foundation
import Synchronization
import Testing

actor Account {
  private(set) var balance = 0
  func deposit(_ amount: Int) { balance += amount }
  func withdraw(_ amount: Int) { if balance >= amount { balance -= amount } }
  nonisolated var balances: AsyncStream<Int> { AsyncStream { $0.finish() } }
}

/// Two concurrent transfers.
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

/// A search that waits for a pause in typing before it shows titles.
struct Search: Sendable {
  func type(_ text: String) {}
  var titles: AsyncStream<[String]> { AsyncStream { $0.finish() } }
  func ticks(every interval: Duration, on clock: TestClock) -> AsyncStream<Void> { AsyncStream {} }
}

let account = Account()
let stock = Stock()
let clock = TestClock()
let recorder = Recorder(account.balances)
@Sendable func scenario() async throws {}
@Sendable func brokenScenario() async throws {}

actor Server {
  private var text = ""
  func save(_ text: String) throws { self.text = text }
  func read() throws -> String { text }
}
let server = Server()
actor Calendar {
  static let ofTheShop = Calendar()
  var opensAt: Int { 9 }
}
