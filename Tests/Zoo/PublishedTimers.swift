// Models of bugs in published loaders, debouncers, throttlers and updated values.

extension Animal {
  static let timers = [
    // GraphQLSwift/DataLoader c327216.
    Animal(name: "prime replaces a value that was loaded meanwhile") { isBroken in
      let loader = PrimedLoader(isBroken: isBroken)
      let reader = Task { await loader.load("loaded") }
      let primer = Task { await loader.prime("primed") }
      let first = await reader.value
      await primer.value
      return await loader.load("again") == first
    },
    // codingiran/AsyncTimer 385e8fe, AsyncDebouncer.
    Animal(name: "two calls that stop one timer both start another") { isBroken in
      let debouncer = StoppingDebouncer(isBroken: isBroken)
      await debouncer.call()
      await both({ await debouncer.call() }, { await debouncer.call() })
      try? await Task.sleep(for: .seconds(10))
      return await debouncer.fired == 1
    },
    // codingiran/AsyncTimer 385e8fe, AsyncThrottler.
    Animal(name: "window begins after its handler has run") { isBroken in
      let throttler = LateThrottler(isBroken: isBroken)
      await both({ await throttler.call() }, { await throttler.call() })
      return await throttler.fired == 1
    },
    // rjchatfield/SerialUpdatingValue d6b6f5f.
    Animal(name: "two callers that await an old value both fetch") { isBroken in
      let value = SerialValue(isBroken: isBroken)
      await both({ await value.get() }, { await value.get() })
      return await value.fetches == 1
    },
    // boraseoksoon/Throttler 34290c8.
    Animal(name: "older call of a burst is the one that runs") { isBroken in
      let debouncer = BurstDebouncer(isBroken: isBroken)
      debouncer.call(1)
      debouncer.call(2)
      try? await Task.sleep(for: .seconds(10))
      return await debouncer.ran == [2]
    },
  ]
}

private actor PrimedLoader {
  private let isBroken: Bool
  private var kept: String?
  init(isBroken: Bool) { self.isBroken = isBroken }

  func load(_ value: String) -> String {
    let result = kept ?? value
    kept = result
    return result
  }

  func prime(_ value: String) async {
    guard kept == nil else { return }
    await Task.detached { await Task.yield() }.value
    if isBroken || kept == nil { kept = value }
  }
}

private actor StoppingDebouncer {
  private let isBroken: Bool
  private var timer: Task<Void, Never>?
  private(set) var fired = 0
  init(isBroken: Bool) { self.isBroken = isBroken }

  func call() async {
    let old = timer
    old?.cancel()
    if !isBroken { timer = start() }
    await old?.value
    if isBroken { timer = start() }
  }

  private func start() -> Task<Void, Never> {
    Task {
      do { try await Task.sleep(for: .seconds(2)) } catch { return }
      fired += 1
    }
  }
}

private actor LateThrottler {
  private let isBroken: Bool
  private var isOpen = true
  private(set) var fired = 0
  init(isBroken: Bool) { self.isBroken = isBroken }

  func call() async {
    guard isOpen else { return }
    if !isBroken { isOpen = false }
    await handle()
    isOpen = false
  }

  private func handle() async {
    await Task.detached {}.value
    fired += 1
  }
}

private actor SerialValue {
  private let isBroken: Bool
  private var fetch = Task { false }
  private(set) var fetches = 0
  init(isBroken: Bool) { self.isBroken = isBroken }

  func get() async {
    while true {
      let awaited = fetch
      let isValid = await awaited.value
      if isValid { return }
      if isBroken || fetch == awaited {
        fetches += 1
        fetch = Task {
          await Task.yield()
          return true
        }
      }
    }
  }
}

private final class BurstDebouncer: Sendable {
  private let isBroken: Bool
  private let desk: Desk
  init(isBroken: Bool) {
    self.isBroken = isBroken
    desk = Desk(checksNumbers: !isBroken)
  }

  var ran: [Int] { get async { await desk.ran } }

  func call(_ number: Int) { Task { [desk] in await desk.call(number) } }

  private actor Desk {
    private let checksNumbers: Bool
    private var timer: Task<Void, Never>?
    private var newest = 0
    private(set) var ran: [Int] = []
    init(checksNumbers: Bool) { self.checksNumbers = checksNumbers }

    func call(_ number: Int) {
      if checksNumbers, number < newest { return }
      newest = number
      timer?.cancel()
      timer = Task {
        do { try await Task.sleep(for: .seconds(1)) } catch { return }
        ran.append(number)
      }
    }
  }
}
