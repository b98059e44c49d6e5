import Dispatch

@Suite struct DerivedTests {
  private actor Page: StateActor {
    struct Content: Sendable {
      var number = 0
      var last: Farewell?
    }

    let knot = Knot(Content())
    nonisolated let executor = ManualExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func turn(to content: Content) { sink(content) }

    /// Replaces the state on another thread, and returns when it is replaced.
    nonisolated func replace(by content: Content) {
      let isDone = DispatchSemaphore(value: 0)
      Task.detached {
        await self.turn(to: content)
        isDone.signal()
      }
      DispatchQueue(label: "page").async { [executor] in while !executor.runOne() {} }
      isDone.wait()
    }
  }

  @Test(
    "S18, S23: a source's state that is replaced during the first computation is released outside all locks"
  )
  func replacedDuringTheFirstComputation() {
    let (page, read) = (Page(), Log<Int>())
    let number = Shared<Derived<Int>?>(nil)
    page.replace(by: .init(number: 1, last: Farewell { read.append(number.value?.state ?? 0) }))
    let derived = Derived(from: page) { content in
      if content.number == 1 { page.replace(by: .init(number: 2)) }
      return content.number
    }
    number.value = derived
    #expect(derived.state == 2)
    #expect(read.all == [2])
    number.value = nil
  }

  @Test(
    "S23: a state is computed when it is read, and at most once for each version of the sources")
  func computedWhenRead() async {
    let (node, session, computed) = (PlainNode(), Session(), Log<Int>())
    let sum = Derived(from: node, session) { node, session in
      computed.append(node.count + session)
      return node.count + session
    }
    let observed = sum.states
    #expect(computed.all == [7], "'states' computes the first state")
    await node.reduce { $0.count = 1 }
    await session.reduce { $0 = 8 }
    #expect(computed.all == [7])
    #expect((sum.state, sum.state, sum.knot.state) == (9, 9, 9))
    var states = observed.makeAsyncIterator()
    var others = observed.makeAsyncIterator()
    #expect(await states.next() == 9)
    #expect(await others.next() == 9)
    #expect(computed.all == [7, 9])
  }

  @Test(
    "S23: a derived source computes nothing before its first read, even if another source derives from it"
  )
  func lazy() async {
    let (node, computed) = (PlainNode(), Log<Int>())
    let count = Derived(from: node) { node in
      computed.append(node.count)
      return node.count
    }
    let next = Derived(from: count) { $0 + 1 }
    await node.reduce { $0.count = 4 }
    #expect(computed.all.isEmpty)
    #expect(next.state == 5)
    #expect(computed.all == [4])
  }

  @Test(
    "S23, S8: a derived source ends with its last source, keeps no source alive, and is kept alive by its observers"
  )
  func lifetime() async {
    var (node, session): (PlainNode?, Session?) = (PlainNode(), Session())
    weak let (weakNode, weakSession) = (node, session)
    guard
      let states = node.flatMap({ node in
        session.map { Derived(from: node, $0) { $0.count + $1 }.states }
      })
    else { return }
    var iterator = states.makeAsyncIterator()
    #expect(await iterator.next() == 7)
    node = nil
    #expect(weakNode == nil)
    await session?.reduce { $0 = 9 }
    #expect(await iterator.next() == 9)
    await session?.reduce { $0 = 10 }
    session = nil
    #expect(weakSession == nil)
    #expect(await iterator.next() == 10)
    #expect(await iterator.next() == nil)
  }

  @Test("S23: a derived source that was read does not keep a derived source alive")
  func lifetimeOfDerived() {
    let session = Session()
    var first: Derived<Int>? = Derived(from: session) { $0 }
    weak let weakFirst = first
    let second = first.map { Derived(from: $0) { $0 + 1 } }
    #expect(second?.state == session.state + 1)
    first = nil
    #expect(weakFirst == nil)
    #expect(second?.state == session.state + 1)
  }

  @Test("S23, S8: a buffering observer and a stream follow a derived source to its end")
  func buffering() async {
    for isStream in [false, true] {
      var session: Session? = Session()
      guard let parity = session.map({ Derived(from: $0) { $0 % 2 } }) else { return }
      let (states, stream) = (parity.states(buffering: .unbounded), parity.stateStream())
      let reader = Task {
        var seen: [Int] = []
        if isStream {
          for await state in stream { seen.append(state) }
        } else {
          for await state in states { seen.append(state) }
        }
        return seen
      }
      for number in 8..<20 {
        await session?.reduce { $0 = number }
        await Task.yield()
      }
      session = nil
      let seen = await reader.value
      #expect(seen.last == 1)
      #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 != $1 })
    }
  }

  @Test("S23: an observer's first state is current, even if a source changed since the last read")
  func firstState() async {
    let session = Session()
    let double = Derived(from: session) { $0 * 2 }
    var seen: [Int?] = []
    for number in 1...3 {
      seen.append(double.state)
      await session.reduce { $0 = number }
      switch number {
      case 1: seen.append(await double.states.first { _ in true })
      case 2: seen.append(await double.states(buffering: .unbounded).first { _ in true })
      default: seen.append(await double.stateStream().first { _ in true })
      }
    }
    #expect(seen == [14, 2, 2, 4, 4, 6])
  }

  @Test(
    "S23: a read checks each source once, even if many paths lead to the source",
    .timeLimit(.minutes(30)))
  func manyPaths() async {
    let session = Session()
    var sums = (Derived(from: session) { $0 }, Derived(from: session) { $0 + 1 })
    var expected = (22, 23)
    for _ in 0..<60 {
      sums = (Derived(from: sums.0, sums.1) { $0 &+ $1 }, Derived(from: sums.0, sums.1) { $0 ^ $1 })
      expected = (expected.0 &+ expected.1, expected.0 ^ expected.1)
    }
    await session.reduce { $0 = 22 }
    for _ in 0..<2 { #expect((sums.0.state, sums.1.state) == expected) }
  }

  @Test(
    "S23: a change with an equal result is computed once for all observers, and wakes none of them")
  func wakesNobody() async {
    let (session, computed) = (Session(), Log<Int>())
    let isLarge = Derived(from: session) { number in
      computed.append(number)
      return number > 100
    }
    let reader = Reader()
    let observers = (0..<8).map { _ in Task { await reader.count(isLarge.states) } }
    await waitWhile(isLarge.knot.observerCount < 8)
    let jobs = reader.executor.jobs
    for number in 8..<12 {
      await session.reduce { $0 = number }
      await waitWhile(computed.all.last != number || session.knot.observerCount == 0)
    }
    #expect(reader.executor.jobs == jobs)
    #expect(computed.all == [7, 8, 9, 10, 11])
    await session.reduce { $0 = 101 }
    await waitWhile(reader.given.value < 16)
    #expect(computed.all == [7, 8, 9, 10, 11, 101])
    for observer in observers { observer.cancel() }
  }

  @Test("S23: a buffering observer also gets states that are not Equatable")
  func bufferingIncomparable() async {
    struct Box: Sendable { let number: Int }
    let session = Session()
    var boxes = Derived(from: session) { Box(number: $0) }.states(buffering: .unbounded)
      .makeAsyncIterator()
    #expect(await boxes.next()?.number == session.state)
    await session.reduce { $0 = 9 }
    #expect(await boxes.next()?.number == 9)
  }

  @Test(
    "S11, S23: what the closure of a derived source ends has ended when the computation returns")
  func endings() {
    let hasEnded = Shared(false)
    let next = Derived(from: Session()) { number in
      Reducer.afterwards { hasEnded.value = true }
      return number
    }
    _ = next.state
    #expect(hasEnded.value)
  }

  @Test("F2, S23: a state is computed with the priority of the most urgent observer")
  func urgency() async {
    let (session, urgencies) = (Session(), Log<TaskPriority>())
    let next = Derived(from: session) { number in
      urgencies.append(Task.currentPriority)
      return number + 1
    }
    let observers = [TaskPriority.low, .high].map { priority in
      Task(priority: priority) { for await number in next.states where number == 1 { return } }
    }
    await waitWhile(next.knot.observerCount < 2)
    await Task(priority: .background) { await session.reduce { $0 = 0 } }.value
    for observer in observers { await observer.value }
    #expect(urgencies.all.last.map { $0 >= .high } == true)
  }

  @Test("F2, S23: a state is no longer computed with the priority of an observer that has left")
  func urgencyOfTheOthers() async {
    let (session, urgencies) = (Session(), Log<TaskPriority>())
    let next = Derived(from: session) { number in
      urgencies.append(Task.currentPriority)
      return number + 1
    }
    for (priority, number) in [(TaskPriority.high, 1), (.background, 2)] {
      let hasEnded = Shared(false)
      // The task is not awaited, because awaiting it would raise the observer's priority.
      Task.detached(priority: priority) {
        for await state in next.states where state == number { break }
        hasEnded.value = true
      }
      await waitWhile(next.knot.observerCount < 1)
      let isWritten = Shared(false)
      Task.detached(priority: .background) {
        await session.reduce { $0 = number - 1 }
        isWritten.value = true
      }
      await waitWhile(!hasEnded.value || !isWritten.value)
    }
    #expect(urgencies.all.last == .background, "\(urgencies.all)")
  }

  @Test("F2, S23: a state is computed with at least the priority of its writer")
  func urgencyOfTheWriter() async {
    let (session, urgencies, hasEnded) = (Session(), Log<TaskPriority>(), Shared(false))
    let next = Derived(from: session) { number in
      urgencies.append(Task.currentPriority)
      return number + 1
    }
    // The task is not awaited, because awaiting it would raise the observer's priority.
    Task.detached(priority: .background) {
      for await number in next.states where number == 1 { break }
      hasEnded.value = true
    }
    await waitWhile(next.knot.observerCount < 1)
    await Task.detached(priority: .high) { await session.reduce { $0 = 0 } }.value
    await waitWhile(!hasEnded.value)
    #expect(urgencies.all.last.map { $0 >= .high } == true, "\(urgencies.all)")
  }

  @Test("F2, S23: the sources of a derived source have the priority of its most urgent observer")
  func urgencyOfSources() async {
    let (session, urgencies) = (Session(), Log<TaskPriority>())
    let next = Derived(from: session) { number in
      urgencies.append(Task.currentPriority)
      return number + 1
    }
    let sum = Derived(from: session, next) { $0 + $1 }
    let last = Derived(from: sum) { $0 - 1 }
    // The tasks are not awaited, because awaiting a task would raise its priority. The last observer finds that `sum` already
    // observes its sources.
    let hasEnded = Shared(0)
    for (count, priority) in [TaskPriority.background, .high].enumerated() {
      Task.detached(priority: priority) {
        for await number in last.states where number == 0 { break }
        hasEnded.value += 1
      }
      await waitWhile(last.knot.observerCount <= count)
    }
    let isWritten = Shared(false)
    Task.detached(priority: .background) {
      await session.reduce { $0 = 0 }
      isWritten.value = true
    }
    await waitWhile(hasEnded.value < 2 || !isWritten.value)
    #expect(urgencies.all.last.map { $0 >= .high } == true, "\(urgencies.all)")
  }

  @Test("F2, S23: an observer that leaves does not raise the priority of the computation")
  func urgencyOfALeaver() async {
    let (session, urgencies, count) = (Session(), Log<TaskPriority>(), Shared(0))
    let next = Derived(from: session) { number in
      urgencies.append(Task.currentPriority)
      return number + 1
    }
    let wait = { @Sendable (last: Int) in
      for await number in next.states where number == last { break }
      count.value += 1
    }
    Task.detached(priority: .background) { await wait(1) }
    await waitWhile(next.knot.observerCount < 1)
    let subscription = Shared<StateSequence<Int>?>(nil)
    Task.detached(priority: .background) {
      subscription.value = next.states(buffering: .unbounded)
      count.value += 1
    }
    await waitWhile(count.value < 1)
    Task.detached(priority: .high) {
      subscription.value = nil
      count.value += 1
    }
    await waitWhile(count.value < 2)
    Task.detached(priority: .background) {
      await session.reduce { $0 = 0 }
      count.value += 1
    }
    await waitWhile(count.value < 4)
    #expect(urgencies.all.last == .background, "\(urgencies.all)")
  }

  /// A reader that counts the states it receives, on an executor that counts jobs.
  private actor Reader {
    nonisolated let executor = CountingExecutor()
    nonisolated let given = Shared(0)

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func count(_ states: StateSequence<Bool>) async {
      for await _ in states { given.value += 1 }
    }
  }

  #if os(macOS) || os(Linux)
    @Test("S11, S23: a derivation that reads a holder, or itself, traps")
    func readsHolder() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let session = Session()
        _ = Derived(from: session) { $0 + session.state }.state
      }
      #expect(result.says("A reducer of 'Int' reads or writes a holder of 'Int'"))
      let itself = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (session, itself) = (Session(), Shared<Derived<Int>?>(nil))
        itself.value = Derived(from: session) { $0 + (itself.value?.state ?? 0) }
        _ = itself.value?.state
      }
      #expect(itself.says("A reducer of 'Int' reads or writes a holder of 'Int'"))
    }
  #endif
}
