import Synchronization

// Models of bugs in published clients: requests, sessions, tokens, values that expire.

extension Animal {
  static let clients = [
    // grpc-swift-2 ac33066e, InProcessTransport.
    Animal(name: "client is shut down while a call waits for its connection") { isBroken in
      let transport = Transport(isBroken: isBroken)
      let call = Task { await transport.call() }
      let closing = Task { transport.shutDown() }
      await settle()
      let isOver = transport.ended.value == 1
      transport.release()
      await call.value
      await closing.value
      return isOver
    },
    // JSONRPC 29987f7, JSONRPCSession; MCP swift-sdk fec680a^, fixed by #113.
    Animal(name: "request fails twice: at the end of the channel, and at its write") { isBroken in
      let session = RequestSession(isBroken: isBroken)
      let request = Task { await session.request() }
      let closing = Task { await session.close() }
      await request.value
      await closing.value
      await settle()
      return await session.misuses == 0
    },
    // OAuthenticator 2b1f374.
    Animal(name: "two refusals both refresh with one token") { isBroken in
      let server = TokenServer()
      let client = TokenClient(server, isBroken: isBroken)
      await both({ await client.fetch() }, { await client.fetch() })
      return server.reused.value == 0
    },
    // soto-core 47454bf79, ExpiringValue.
    Animal(name: "cancelled caller makes the value fail for all callers") { isBroken in
      let value = ExpiringValue(isBroken ? .callersCancelTheUpdate : nil)
      let first = Task { await value.get() }
      let second = Task { await value.get() }
      first.cancel()
      _ = await first.value
      _ = await second.value
      return await value.get() != nil
    },
    // Also ExpiringValue: a value that expires soon is updated again before all callers have received the previous value.
    Animal(name: "late waiter puts an old state back") { isBroken in
      let value = ExpiringValue(isBroken ? .waitersWriteTheState : nil, lifetime: 0)
      let readers = (0..<2).map { _ in
        Task { for _ in 0..<2 { _ = await value.get() } }
      }
      for reader in readers { await reader.value }
      return await value.most == 1
    },
    // MCP swift-sdk 6132fd4, Client.
    Animal(name: "response arrives before its request is stored") { isBroken in
      let client = PendingClient(isBroken ? .filesLater : nil)
      let request = await client.send()
      let answering = Task { await client.answer(1) }
      await settle()
      let isOver = client.ended.value == 1
      await client.release()
      await request.value
      await answering.value
      return isOver
    },
    Animal(name: "request is stored after the disconnection has ended the others") { isBroken in
      let client = PendingClient(isBroken ? .ignoresTheEnd : nil)
      let asking = Task { await client.send().value }
      let closing = Task { await client.disconnect() }
      await settle()
      let isOver = client.ended.value == 1
      await client.release()
      await asking.value
      await closing.value
      return isOver
    },
    // swift-concurrency-task-manager 87605b6.
    Animal(name: "operation ends before its waiter is stored") { isBroken in
      let manager = OperationManager(isBroken: isBroken)
      let asking = Task { await manager.perform {} }
      await settle()
      let isOver = manager.ended.value == 1
      manager.release()
      await asking.value
      return isOver
    },
    // swift-resource-pool b382569.
    Animal(name: "closed pool lends a resource that is being created") { isBroken in
      let pool = ResourcePool(isBroken: isBroken)
      let borrowing = Task { await pool.borrow() }
      let closing = Task { await pool.close() }
      let lent = await borrowing.value
      let closedAt = await closing.value
      return lent.map { $0 < closedAt } ?? true
    },
  ]
}

/// A client whose calls wait for a connection until the client is shut down.
private final class Transport: Sendable {
  private let isBroken: Bool
  private let state = Mutex((isClosed: false, waiters: [Waiter<Void>]()))
  let ended = Tally()
  init(isBroken: Bool) { self.isBroken = isBroken }

  func call() async {
    await parked { (waiter: Waiter<Void>) in
      let isClosed = state.withLock { state in
        if !state.isClosed { state.waiters.append(waiter) }
        return state.isClosed
      }
      if isClosed { waiter.resume() }
    }
    ended.add()
  }

  func shutDown() {
    state.withLock { $0.isClosed = true }
    if !isBroken { release() }
  }

  func release() {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}

/// A session whose request ends when the channel closes or when the request's write fails.
private actor RequestSession {
  private let isBroken: Bool
  private var pending: [Int: Waiter<Void>] = [:]
  private var isClosed = false
  private(set) var misuses = 0
  init(isBroken: Bool) { self.isBroken = isBroken }

  func request() async {
    await parked { (waiter: Waiter<Void>) in
      pending[1] = waiter
      Task {
        await Task.yield()
        // The write fails.
        if isBroken {
          pending[1] = nil
          if !waiter.resume() { misuses += 1 }
        } else {
          pending.removeValue(forKey: 1)?.resume()
        }
      }
    }
  }

  func close() {
    isClosed = true
    for waiter in pending.values { waiter.resume() }
    pending = [:]
  }
}

/// A server whose refresh tokens may be used only once.
private final class TokenServer: Sendable {
  private let number = Mutex(0)
  let reused = Tally()
  func accepts(_ token: Int) -> Bool { number.withLock { $0 == token && token > 0 } }
  func refresh(_ token: Int) async -> Int {
    await Task.yield()
    return number.withLock { number in
      if token == number { number += 1 } else { reused.add() }
      return number
    }
  }
}

private actor TokenClient {
  private let server: TokenServer
  private let isBroken: Bool
  private var token = 0
  private var refreshing: Task<Int, Never>?
  init(_ server: TokenServer, isBroken: Bool) {
    self.server = server
    self.isBroken = isBroken
  }

  func fetch() async {
    let used = token
    await Task.yield()
    if server.accepts(used) { return }
    if isBroken {
      token = await server.refresh(token)
    } else if used == token {
      let task = refreshing ?? Task { [token] in await server.refresh(token) }
      refreshing = task
      token = await task.value
      refreshing = nil
    }
  }
}

/// A value that one task at a time updates; all callers share the result of that task.
private actor ExpiringValue {
  enum Fault { case callersCancelTheUpdate, waitersWriteTheState }
  private enum Phase { case none, updating(Task<Int?, Never>), value(Int, left: Int), failed }

  private let fault: Fault?
  /// The number of times that a value is returned before it expires.
  private let lifetime: Int
  private var phase = Phase.none
  private var running = 0
  private(set) var most = 0

  init(_ fault: Fault?, lifetime: Int = 100) {
    self.fault = fault
    self.lifetime = lifetime
  }

  func get() async -> Int? {
    let task: Task<Int?, Never>
    switch phase {
    case .failed: return nil
    case .updating(let running): task = running
    case .value(let value, let left) where left > 0:
      phase = .value(value, left: left - 1)
      return value
    case .none, .value:
      task = Task { await update() }
      phase = .updating(task)
    }
    return await withTaskCancellationHandler {
      let value = await task.value
      if value == nil, fault == .callersCancelTheUpdate { phase = .failed }
      if let value, fault == .waitersWriteTheState { phase = .value(value, left: lifetime) }
      return value
    } onCancel: {
      if fault == .callersCancelTheUpdate { task.cancel() }
    }
  }

  private func update() async -> Int? {
    running += 1
    most = max(most, running)
    await Task.detached { await Task.yield() }.value
    running -= 1
    if Task.isCancelled { return nil }
    phase = .value(1, left: lifetime)
    return 1
  }
}

/// A client that stores each request by its number, so that the response can find its request.
private actor PendingClient {
  enum Fault { case filesLater, ignoresTheEnd }
  private let fault: Fault?
  private var pending: [Int: Waiter<Void>] = [:]
  private var early: Set<Int> = []
  private var isConnected = true
  nonisolated let ended = Tally()
  init(_ fault: Fault?) { self.fault = fault }

  /// Sends a request, and returns a task that ends when the request has ended.
  func send() async -> Task<Void, Never> {
    let task = Task {
      await parked { (waiter: Waiter<Void>) in
        Task { file(waiter) }
      }
      ended.add()
    }
    return task
  }

  private func file(_ waiter: Waiter<Void>) {
    if fault == nil, !isConnected || early.contains(1) {
      waiter.resume()
    } else {
      pending[1] = waiter
    }
  }

  func answer(_ number: Int) {
    guard let waiter = pending.removeValue(forKey: number) else {
      early.insert(number)
      return
    }
    waiter.resume()
  }

  func disconnect() {
    isConnected = false
    release()
  }

  func release() {
    for waiter in pending.values { waiter.resume() }
    pending = [:]
  }
}

/// Starts an operation, and then stores the continuation that the operation resumes when it ends.
private final class OperationManager: Sendable {
  private let isBroken: Bool
  private let state = Guarded((isOver: false, waiter: Waiter<Void>?.none))
  let ended = Tally()
  init(isBroken: Bool) { self.isBroken = isBroken }

  func perform(_ operation: @escaping @Sendable () async -> Void) async {
    await parked { (waiter: Waiter<Void>) in
      Task {
        await operation()
        state.with { state in
          state.isOver = true
          return state.waiter.take()
        }?.resume()
      }
      let isLate = state.with { state in
        if !isBroken, state.isOver { return true }
        state.waiter = waiter
        return false
      }
      if isLate { waiter.resume() }
    }
    ended.add()
  }

  func release() { state.with { $0.waiter.take() }?.resume() }
}

private actor ResourcePool {
  private let isBroken: Bool
  private var isClosed = false
  private var moments = 0
  init(isBroken: Bool) { self.isBroken = isBroken }

  /// Lends a resource, and returns the time of the loan; `nil` if the pool is closed.
  func borrow() async -> Int? {
    if isClosed { return nil }
    await Task.detached { await Task.yield() }.value
    moments += 1
    return isBroken || !isClosed ? moments : nil
  }

  func close() -> Int {
    isClosed = true
    moments += 1
    return moments
  }
}
