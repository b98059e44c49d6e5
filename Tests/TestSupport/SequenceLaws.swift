import ExploreTesting
import Testing

/// A law for the sequences of states and events.
///
/// The tests of AsyncKnot and of AsyncDiff each have a list of sequences, and check all laws for every sequence in the list. To
/// test a new sequence, add it to one of the lists.
package enum SequenceLaw: String, CaseIterable, CustomStringConvertible, Sendable {
  case order = "S2, S3, S5, S6, S8: an observer sees increasing numbers, the last one, then the end"
  case cancellation = "S8: a cancelled reader leaves nothing registered"
  case late = "S8: a late reader sees the last state, then the end"
  case silence = "S21: after a cancellation on the reader's isolation, nothing more arrives"
  case presence = "S4, S9: an available element arrives without a suspension"
  case fairness = "F1: a loop that always finds an element yields at least once every 32 elements"
  case thrift = "S7: between two reads, a reader of the newest state is not registered"

  package var description: String { rawValue }

  /// Records an issue if the law does not hold for a sequence.
  package func check(_ sequence: LawfulSequence) async throws {
    switch self {
    case .order: await exploreContract(seeds: 1_000) { try await sequence.givesTheLastInOrder() }
    case .cancellation:
      await exploreContract(seeds: 1_000) { try await sequence.forgetsWhoIsCancelled() }
    case .late: try await sequence.endsForWhoComesLate()
    case .silence:
      await exploreContract(seeds: 1_000) { try await sequence.givesNothingAfterCancel() }
    case .presence: #expect(await sequence.jobsWhereElementsAreThere() == 0)
    case .fairness:
      let (few, many) = (await sequence.jobs(reading: 8), await sequence.jobs(reading: 1_008))
      #expect(many - few >= 1_000 / 32, "\(few) and \(many) jobs")
    case .thrift: try await sequence.costsNothingBetweenTwoReads()
    }
  }
}

/// A sequence of numbers and its source, for testing the laws that hold for every sequence of the package.
package struct LawfulSequence: Sendable, CustomStringConvertible {
  /// The elements that an iterator returns.
  package enum Kind: Sendable {
    /// The current state, then newer states; nothing is kept for a slow reader.
    case newestStates
    /// The current state, then newer states, some of which are kept for a slow reader.
    case someStates
    /// The current state, then every later state.
    case allStates
    /// The events that are sent while the sequence exists.
    case events

    var hasFirst: Bool { self != .events }
  }

  /// A sequence under test.
  ///
  /// `write` changes its source, `observers` counts the source's observers, and `end` releases the source.
  package struct Subject: Sendable {
    let numbers: any AsyncSequence<Int, Never> & Sendable
    let write: @Sendable (Int) -> Void
    let observers: @Sendable () -> Int
    let end: @Sendable () -> Void

    package init(
      _ numbers: any AsyncSequence<Int, Never> & Sendable,
      write: @escaping @Sendable (Int) -> Void, observers: @escaping @Sendable () -> Int,
      end: @escaping @Sendable () -> Void
    ) {
      (self.numbers, self.write, self.observers, self.end) = (numbers, write, observers, end)
    }
  }

  package let description: String
  let kind: Kind
  let make: @Sendable () -> Subject

  /// - Parameters:
  ///   - description: The sequence as users write it.
  ///   - kind: The elements that the sequence returns.
  ///   - make: Creates a subject whose state is 0, and to which nothing was sent.
  package init(_ description: String, _ kind: Kind, _ make: @escaping @Sendable () -> Subject) {
    (self.description, self.kind, self.make) = (description, kind, make)
  }
}

extension LawfulSequence {
  /// S2, S3, S5, S8: an observer sees increasing numbers, including the last one, and then the end.
  ///
  /// S6: the same holds for two concurrent observers. For events there is only one observer, because two would share the events.
  fileprivate func givesTheLastInOrder() async throws {
    let (subject, kind) = (make(), kind)
    try await withThrowingDiscardingTaskGroup { group in
      for _ in 0..<(kind.hasFirst ? 2 : 1) {
        let reader = Reader(subject.numbers)
        group.addTask {
          let seen = try await reader.readToTheEnd()
          try hold(seen.last == 3, "the last of \(seen) is not 3")
          let hasGap = seen != Array((kind.hasFirst ? seen[0] : 1)...3)
          try hold(!hasGap || kind == .newestStates || kind == .someStates, "\(seen) has a gap")
        }
      }
      group.addTask {
        for number in 1...3 {
          await Task.yield()
          subject.write(number)
        }
        subject.end()
      }
    }
    try hold(subject.observers() == 0, "\(subject.observers()) observers are still registered")
  }

  /// S8: a task that is cancelled before or during its wait ends, and leaves nothing registered.
  fileprivate func forgetsWhoIsCancelled() async throws {
    let subject = make()
    let task = Task(executorPreference: Exploration.executor) {
      try await Reader(subject.numbers).readToTheEnd()
    }
    let writer = Task(executorPreference: Exploration.executor) { subject.write(1) }
    let canceller = Task(executorPreference: Exploration.executor) { task.cancel() }
    _ = try await task.value
    await writer.value
    await canceller.value
    await untilIdle()
    try hold(subject.observers() == 0, "\(subject.observers()) observers are still registered")
  }

  /// S8: a reader that begins after the source is released sees the source's last state, if there is one, and then the end.
  fileprivate func endsForWhoComesLate() async throws {
    let subject = make()
    let reader = Reader(subject.numbers)
    subject.write(1)
    subject.end()
    let seen = try await reader.readToTheEnd()
    try hold(seen.last == 1, "the early reader saw \(seen)")
    let late = try await Reader(subject.numbers).readToTheEnd()
    try hold(late.last == (kind.hasFirst ? 1 : nil), "the late reader saw \(late)")
  }

  /// S7: between two reads, a reader of the newest state costs the writer nothing.
  fileprivate func costsNothingBetweenTwoReads() async throws {
    let (subject, kind) = (make(), kind)
    try await Reader(subject.numbers).take(
      kind.hasFirst ? 1 : 0,
      look: {
        try hold(kind != .newestStates || subject.observers() == 0, "the reader is registered")
      })
  }

  /// S21: after a cancellation on the reader's isolation, nothing more arrives.
  fileprivate func givesNothingAfterCancel() async throws {
    let subject = make()
    let reader = Reader(subject.numbers)
    let task = Task(executorPreference: Exploration.executor) { try await reader.readToTheEnd() }
    await Task.yield()
    let before = await reader.cancel(task) {
      for number in 1...3 { subject.write(number) }
    }
    _ = try await task.value
    let after = await reader.seen
    try hold(after == before, "\(before) at the cancellation, then \(after)")
  }

  /// S4, S9: an available element is returned without a suspension and without a hop.
  ///
  /// - Returns: The number of additional jobs for reading one element.
  fileprivate func jobsWhereElementsAreThere() async -> Int {
    func jobs(reading count: Int) async -> Int {
      await Exploration(seeds: 1, allowing: [.noChoice])
        .run(seed: 0) { [make, kind] in
          let subject = make()
          if !kind.hasFirst { subject.write(1) }
          try await Reader(subject.numbers).take(count)
          await untilIdle()
        }
        .trace.jobs
    }
    return await jobs(reading: 1) - jobs(reading: 0)
  }

  /// F1: a loop that always finds an element yields.
  ///
  /// - Parameter count: The number of elements to read.
  /// - Returns: The number of jobs that the reads take.
  fileprivate func jobs(reading count: Int) async -> Int {
    await Exploration(seeds: 1, jobLimit: 100_000, allowing: [.noChoice])
      .run(seed: 0) { [make] in
        let subject = make()
        try await Reader(subject.numbers).take(count, writing: subject.write)
      }
      .trace.jobs
  }
}

/// Reads numbers on its own isolation and throws unless they increase.
private actor Reader {
  private let numbers: any AsyncSequence<Int, Never> & Sendable
  private(set) var seen: [Int] = []

  init(_ numbers: any AsyncSequence<Int, Never> & Sendable) { self.numbers = numbers }

  func readToTheEnd() async throws -> [Int] {
    try await read(numbers, upTo: .max)
    return seen
  }

  /// Reads `count` numbers, calls `write` before each one, and calls `look` before it releases the iterator.
  func take(
    _ count: Int, writing write: @Sendable (Int) -> Void = { _ in },
    look: @Sendable () throws -> Void = {}
  ) async throws {
    try await read(numbers, upTo: count, write, look)
  }

  private func read(
    _ numbers: some AsyncSequence<Int, Never>, upTo count: Int,
    _ write: (Int) -> Void = { _ in }, _ look: () throws -> Void = {}
  ) async throws {
    var iterator = numbers.makeAsyncIterator()
    defer { withExtendedLifetime(iterator) {} }
    for number in 0..<count {
      write(number + 1)
      guard let number = await iterator.next(isolation: self) else { break }
      try hold(seen.last.map { $0 < number } ?? true, "\(number) after \(seen)")
      seen.append(number)
    }
    try look()
    // The end is final, unless the task was cancelled.
    if count == .max, !Task.isCancelled {
      let more = await iterator.next(isolation: self)
      try hold(more == nil, "\(String(describing: more)) after the end")
    }
  }

  /// Writes, cancels the task, and returns the numbers read so far.
  func cancel(_ task: Task<[Int], any Error>, after write: @Sendable () -> Void) -> [Int] {
    write()
    task.cancel()
    return seen
  }
}

/// Maps each element to its number, on the reader's isolation.
package struct Numbered<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Failure == Never {
  let base: Base
  let number: @Sendable (Base.Element) -> Int

  package init(_ base: Base, _ number: @escaping @Sendable (Base.Element) -> Int) {
    (self.base, self.number) = (base, number)
  }

  package func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: base.makeAsyncIterator(), number: number)
  }

  package struct AsyncIterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator
    let number: @Sendable (Base.Element) -> Int

    package mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      await base.next(isolation: actor).map(number)
    }

    nonisolated(nonsending) package mutating func next() async -> Int? {
      await next(isolation: #isolation)
    }
  }
}
