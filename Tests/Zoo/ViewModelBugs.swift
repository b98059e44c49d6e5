// Main-actor view models that start tasks, as in apps.

extension Animal {
  static let viewModels = [
    Animal(name: "older search response overwrites a newer one") { isBroken in
      await Search(isBroken).check()
    },
    Animal(name: "page loaded twice") { isBroken in await Pages(isBroken).check() },
    Animal(name: "optimistic like undone by late failure") { isBroken in
      await Like(isBroken).check()
    },
    Animal(name: "detached progress arrives out of order") { isBroken in
      await Progress(isBroken).check()
    },
    Animal(name: "logout while a refresh is in flight") { isBroken in
      await Session(isBroken).check()
    },
    Animal(name: "debounce that does not cancel") { isBroken in await Debounce(isBroken).check() },
  ]
}

@MainActor private class Model {
  let isBroken: Bool
  var tasks: [Task<Void, Never>] = []
  nonisolated init(_ isBroken: Bool) { self.isBroken = isBroken }
  func finish() async { for task in tasks { await task.value } }
}

/// Returns a value after an arbitrary delay, as a service does.
private func answer<Value: Sendable>(_ value: Value) async -> Value {
  await Task.detached {
    await Task.yield()
    return value
  }.value
}

@MainActor private final class Search: Model {
  var query = ""
  var results = ""
  func type(_ text: String) {
    query = text
    tasks.append(
      Task {
        let found = await answer(text)
        if isBroken || query == text { results = found }
      })
  }
  func check() async -> Bool {
    type("a")
    type("ab")
    await finish()
    return results == "ab"
  }
}

@MainActor private final class Pages: Model {
  var items: [Int] = []
  var isLoading = false
  func loadMore() async {
    guard !isLoading else { return }
    if !isBroken { isLoading = true }
    let page = await answer(items.count)
    isLoading = false
    items.append(page)
  }
  func check() async -> Bool {
    tasks = [Task { await loadMore() }, Task { await loadMore() }]
    await finish()
    return Set(items).count == items.count
  }
}

@MainActor private final class Like: Model {
  var isLiked = false
  var version = 0
  func set(_ value: Bool, fails: Bool) {
    let before = isLiked
    version += 1
    let mine = version
    isLiked = value
    tasks.append(
      Task {
        let hasFailed = await answer(fails)
        if hasFailed, isBroken || version == mine { isLiked = before }
      })
  }
  func check() async -> Bool {
    set(true, fails: true)
    await Task.yield()
    set(true, fails: false)
    await finish()
    return isLiked
  }
}

@MainActor private final class Progress: Model {
  var shown: [Int] = []
  func check() async -> Bool {
    if isBroken {
      for step in 1...3 { tasks.append(Task.detached { await self.show(step) }) }
    } else {
      for step in 1...3 { tasks.append(Task { show(step) }) }
    }
    await finish()
    return shown == [1, 2, 3]
  }
  func show(_ step: Int) { shown.append(step) }
}

@MainActor private final class Session: Model {
  var token: String? = "old"
  func refresh() async {
    let fresh = await answer("new")
    if isBroken || token != nil { token = fresh }
  }
  func logout() { token = nil }
  func check() async -> Bool {
    tasks = [Task { await refresh() }, Task.detached { await self.logout() }]
    await finish()
    return token == nil
  }
}

@MainActor private final class Debounce: Model {
  var saves: [String] = []
  var last: Task<Void, Never>?
  func edit(_ text: String) {
    if !isBroken { last?.cancel() }
    let task = Task {
      do { try await Task.sleep(for: .milliseconds(300)) } catch { return }
      saves.append(text)
    }
    last = task
    tasks.append(task)
  }
  func check() async -> Bool {
    edit("a")
    await answer(())
    edit("ab")
    await finish()
    return saves == ["ab"]
  }
}
