import Synchronization

/// Delivers each element to all readers through a small buffer.
///
/// A write that leaves at least four elements in the buffer removes the oldest one, and drops the readers that have not read it.
/// If no reader has read it, nothing is removed and the writer waits.
final class Broadcast: Sendable {
  enum Fault { case forgetsTheWaiting, parksBlindly, endsEarly }

  private static let room = 4

  private struct State {
    var elements: [Int] = []
    /// The index of the oldest element that is kept.
    var first = 0
    /// The index of the element that each reader reads next.
    var positions: [Int: Int] = [:]
    var got: [Int: [Int]] = [:]
    var readers: [Int: Waiter<Int?>] = [:]
    var writers: [Waiter<Void>] = []
    var isFinished = false

    var slow: [Int] { positions.filter { $0.value == first }.map(\.key) }
    var isBlocked: Bool { elements.count >= Broadcast.room && slow.count == positions.count }

    /// The next element of a reader: `.some(nil)` at the end, and `nil` if the reader has to wait.
    mutating func next(_ id: Int) -> Int?? {
      guard let position = positions[id] else { return .some(nil) }
      if position - first < elements.count {
        positions[id] = position + 1
        return elements[position - first]
      }
      return isFinished ? .some(nil) : nil
    }

    /// Removes and returns the waiting readers, which then receive the newest element.
    mutating func takeReaders() -> [Waiter<Int?>] {
      defer { readers = [:] }
      for id in readers.keys { positions[id] = first + elements.count }
      return Array(readers.values)
    }

    mutating func takeWriters() -> [Waiter<Void>] {
      defer { writers = [] }
      return writers
    }

    mutating func dropFirst() {
      elements.removeFirst()
      first += 1
    }
  }

  private let fault: Fault?
  private let state = Mutex(State())

  init(_ fault: Fault?) { self.fault = fault }

  func subscribe() -> Int {
    state.withLock { state in
      let id = state.positions.count
      state.positions[id] = state.first
      return id
    }
  }

  func got(_ id: Int) -> [Int] { state.withLock { $0.got[id] ?? [] } }

  func readAll(_ id: Int) async {
    while let element = await read(id) {
      state.withLock { $0.got[id, default: []].append(element) }
    }
  }

  func writeAll(_ elements: Range<Int>) async {
    for element in elements { await write(element) }
    let readers = state.withLock { state in
      state.isFinished = true
      defer { state.readers = [:] }
      return Array(state.readers.values)
    }
    for reader in readers { reader.resume(returning: nil) }
  }

  private func read(_ id: Int) async -> Int? {
    let (found, writers) = state.withLock { state in
      let found = state.next(id)
      return (found, found == nil ? [] : state.takeWriters())
    }
    for writer in writers { writer.resume() }
    if let found { return found }
    return await parked { (reader: Waiter<Int?>) in
      let (late, writers) = state.withLock { state -> (Int??, [Waiter<Void>]) in
        if fault == .endsEarly, state.isFinished { return (.some(nil), []) }
        if let late = state.next(id) { return (late, state.takeWriters()) }
        state.readers[id] = reader
        return (nil, [])
      }
      for writer in writers { writer.resume() }
      if let late { reader.resume(returning: late) }
    }
  }

  private func write(_ element: Int) async {
    let (readers, parks) = state.withLock { state -> ([Waiter<Int?>], Bool) in
      if state.isFinished { return ([], false) }
      state.elements.append(element)
      guard state.elements.count >= Self.room else { return (state.takeReaders(), false) }
      if state.isBlocked { return ([], true) }
      let slow = state.slow
      state.dropFirst()
      for id in slow { state.positions[id] = nil }
      let forgets = fault == .forgetsTheWaiting && !slow.isEmpty
      return (forgets ? [] : state.takeReaders(), false)
    }
    for reader in readers { reader.resume(returning: element) }
    guard parks else { return }
    await parked { (writer: Waiter<Void>) in
      let waits = state.withLock { state in
        let waits = !state.isFinished && (fault == .parksBlindly || state.isBlocked)
        if waits { state.writers.append(writer) }
        return waits
      }
      if !waits { writer.resume() }
    }
  }

  /// Ends the broadcast, and resumes all readers and writers.
  func release() {
    let (readers, writers) = state.withLock { state in
      state.positions = [:]
      state.isFinished = true
      defer { state.readers = [:] }
      return (Array(state.readers.values), state.takeWriters())
    }
    for reader in readers { reader.resume(returning: nil) }
    for writer in writers { writer.resume() }
  }
}
