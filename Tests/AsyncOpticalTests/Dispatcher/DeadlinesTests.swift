@testable import AsyncOptical

/// The order in which alarms ring, tested without a clock.
@Suite struct DeadlinesTests {
  @Test(
    "O3: alarms ring in the order of their deadlines, even if other alarms are set and removed",
    arguments: 0..<200)
  func model(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var deadlines = Deadlines<Int, Int>()
    var model: [(deadline: Int, number: Int)] = []
    var (now, isRight) = (0, true)
    func check(_ item: Int?, is expected: (deadline: Int, number: Int)?) {
      isRight = isRight && item == expected?.number
      model.removeAll { $0.number == item }
    }
    for item in 1...400 {
      // The items count from 1, so each one equals the number that `insert` returns for it.
      let deadline = now + Int.random(in: 0..<50, using: &random)
      isRight = deadlines.insert(item, at: deadline) == item && isRight
      model.append((deadline, item))
      for _ in 0..<Int.random(in: 0..<3, using: &random) {
        let number = Int.random(in: 1...item, using: &random)
        check(deadlines.remove(number), is: model.first { $0.number == number })
      }
      now += Int.random(in: 0..<3, using: &random)
      let due = model.filter { $0.deadline <= now }
      check(deadlines.popFirst { $0 <= now }, is: due.min { $0 < $1 })
      isRight = isRight && deadlines.first == model.map(\.deadline).min()
    }
    for expected in model.sorted(by: <) { check(deadlines.popFirst { _ in true }, is: expected) }
    #expect(isRight && deadlines.first == nil)
  }

  /// Counts the comparisons of deadlines, and the deadlines in memory.
  private final class Account: Sendable {
    let comparisons = Atomic(0)
    let kept = Atomic(0)
  }

  private struct Time: Comparable, Sendable {
    let value: Int
    let account: Account
    let farewell: Farewell

    init(_ value: Int, _ account: Account) {
      (self.value, self.account) = (value, account)
      account.kept.add(1, ordering: .relaxed)
      farewell = Farewell { account.kept.subtract(1, ordering: .relaxed) }
    }

    static func == (left: Time, right: Time) -> Bool { left.value == right.value }
    static func < (left: Time, right: Time) -> Bool {
      left.account.comparisons.add(1, ordering: .relaxed)
      return left.value < right.value
    }
  }

  @Test("O3: short waits among 20,000 long waits compare at most 64 deadlines each, on average")
  func shortWaits() {
    let account = Account()
    var deadlines = Deadlines<Time, Int>()
    for item in 0..<20_000 { _ = deadlines.insert(item, at: Time(1_000_000 - item, account)) }
    account.comparisons.store(0, ordering: .relaxed)
    for item in 0..<1_000 {
      _ = deadlines.insert(item, at: Time(item, account))
      #expect(deadlines.popFirst { $0.value <= item } == item)
    }
    let count = account.comparisons.load(ordering: .relaxed)
    #expect(count <= 64 * 1_000, "\(count) comparisons")
  }

  @Test("O3: after removals, n alarms keep at most 2n + 16 deadlines in memory")
  func removed() {
    let account = Account()
    var (deadlines, random) = (Deadlines<Time, Int>(), SeededGenerator(seed: 7))
    let numbers = (0..<20_000).map {
      deadlines.insert($0, at: Time(.random(in: 0..<1_000_000, using: &random), account))
    }
    account.comparisons.store(0, ordering: .relaxed)
    var mostKept = 0
    for (removed, number) in numbers.shuffled(using: &random).enumerated() {
      #expect(deadlines.remove(number) != nil)
      let left = numbers.count - removed - 1
      mostKept = max(mostKept, account.kept.load(ordering: .relaxed) - 2 * left)
    }
    #expect(
      mostKept <= 16,
      "\(mostKept) deadlines too many for the alarms; at most 16 may be left over")
    let count = account.comparisons.load(ordering: .relaxed)
    #expect(count <= 64 * numbers.count, "\(count) comparisons")
  }

  @Test("O3, S18: a removed alarm is released immediately, and outside the lock")
  func released() {
    let (alarms, isReleased) = (Alarms(Timeline(TestClock())), Shared(false))
    let number = alarms.add(at: .seconds(1_000)) {
      [
        farewell = Farewell {
          _ = alarms.add(at: .seconds(2_000)) { _ in }
          isReleased.value = true
        }
      ] _ in withExtendedLifetime(farewell) {}
    }
    alarms.remove(number)
    #expect(isReleased.value)
  }
}
