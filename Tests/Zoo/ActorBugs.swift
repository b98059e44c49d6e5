// Actors that suspend between a check and the code that depends on it.

extension Animal {
  static let actors = [
    Animal(name: "overdrawn account") { isBroken in
      let account = Account(isBroken: isBroken)
      await both({ await account.withdraw(80) }, { await account.withdraw(80) })
      return await account.balance >= 0
    },
    Animal(name: "cache fetches twice") { isBroken in
      let cache = Cache(isBroken: isBroken)
      await both({ _ = await cache.value(1) }, { _ = await cache.value(1) })
      return await cache.fetches == 1
    },
    Animal(name: "counter read and written in two calls") { isBroken in
      let counter = Counter()
      let add: @Sendable () async -> Void = {
        if isBroken {
          let seen = await counter.value
          await counter.set(plusOne(seen))
        } else {
          await counter.add(1)
        }
      }
      await both(add, add)
      return await counter.value == 2
    },
    Animal(name: "transfer seen half done") { isBroken in
      let bank = Bank()
      let sums = Counter()
      await both(
        { isBroken ? await bank.transferInTwoSteps() : await bank.transfer() },
        { if await bank.sum != 100 { await sums.add(1) } })
      return await sums.value == 0
    },
    Animal(name: "limiter lets too many in", switches: 3) { isBroken in
      let limiter = Limiter(isBroken: isBroken)
      let tasks = (0..<3).map { _ in Task { await limiter.work() } }
      for task in tasks { await task.value }
      return await limiter.most <= 2
    },
    Animal(name: "index goes stale across an await") { isBroken in
      let list = List(isBroken: isBroken)
      await both({ await list.remove(2) }, { await list.remove(1) })
      return await list.items == [3]
    },
  ]
}

@inline(never) private func plusOne(_ number: Int) -> Int { number + 1 }

actor Counter {
  private(set) var value = 0
  func set(_ value: Int) { self.value = value }
  func add(_ amount: Int) { value += amount }
}

private actor Account {
  private(set) var balance = 100
  private let isBroken: Bool
  init(isBroken: Bool) { self.isBroken = isBroken }
  func withdraw(_ amount: Int) async {
    guard balance >= amount else { return }
    if isBroken {
      await confirm()
      balance -= amount
    } else {
      balance -= amount
      await confirm()
    }
  }
  private func confirm() async { await Task.yield() }
}

private actor Cache {
  private let isBroken: Bool
  private var values: [Int: String] = [:]
  private var tasks: [Int: Task<String, Never>] = [:]
  private(set) var fetches = 0
  init(isBroken: Bool) { self.isBroken = isBroken }
  func value(_ key: Int) async -> String {
    if let value = values[key] { return value }
    if isBroken {
      let value = await fetch(key)
      values[key] = value
      return value
    }
    if let task = tasks[key] { return await task.value }
    let task = Task { await fetch(key) }
    tasks[key] = task
    return await task.value
  }
  private func fetch(_ key: Int) async -> String {
    fetches += 1
    try? await Task.sleep(for: .milliseconds(10))
    return "\(key)"
  }
}

private actor Bank {
  private var first = 100
  private var second = 0
  var sum: Int { first + second }
  func transferInTwoSteps() async {
    first -= 10
    await Task.yield()
    second += 10
  }
  func transfer() {
    first -= 10
    second += 10
  }
}

private actor Limiter {
  private let isBroken: Bool
  private var running = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private(set) var most = 0
  init(isBroken: Bool) { self.isBroken = isBroken }
  func work() async {
    if running >= 2 {
      await withCheckedContinuation { waiting.append($0) }
      // In the repaired limiter, the task that ended has handed its place to the next one, so the count stays the same.
      if isBroken { running += 1 }
    } else {
      running += 1
    }
    most = max(most, running)
    await Task.yield()
    if isBroken || waiting.isEmpty { running -= 1 }
    if isBroken, running < 2, !waiting.isEmpty {
      // The bug: this wakes a task without reserving a place for it.
      waiting.removeFirst().resume()
      Task { await self.work() }
    } else if !waiting.isEmpty {
      waiting.removeFirst().resume()
    }
  }
}

private actor List {
  private let isBroken: Bool
  private(set) var items = [1, 2, 3]
  init(isBroken: Bool) { self.isBroken = isBroken }
  func remove(_ item: Int) async {
    guard let index = items.firstIndex(of: item) else { return }
    await Task.yield()
    if isBroken {
      if items.indices.contains(index) { items.remove(at: index) }
    } else {
      items.removeAll { $0 == item }
    }
  }
}
