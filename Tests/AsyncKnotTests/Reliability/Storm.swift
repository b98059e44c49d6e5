#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Observers of every kind that begin and end at random moments, on real threads.
struct Storm {
  /// The registrations that remain after all observers have ended.
  struct Leftovers: Equatable {
    var observers: Int
    var subscribers: Int
    var bagged: Int

    static let none = Leftovers(observers: 0, subscribers: 0, bagged: 0)
  }

  let node = KnotCounter()
  let channel = EventChannel<Int>()

  /// Starts and ends observers, a hundred at a time, and returns the registrations that remain.
  func rage(observers: Int, seed: UInt64) async -> Leftovers {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<observers / 100 {
      await withDiscardingTaskGroup { group in
        for _ in 0..<100 {
          let kind = generator.integer(in: 0...7)
          group.addTask { await observe(kind) }
        }
        for update in 0..<generator.integer(in: 0...5) {
          await node.add(1)
          channel.send(update)
        }
        group.cancelAll()
      }
      await node.knot.bag.cancelAndWait()
    }
    // A task whose entry was cancelled has already left the bag, but may not have ended yet.
    for _ in 0..<1_000_000 where leftovers != .none { await Task.yield() }
    return leftovers
  }

  private var leftovers: Leftovers {
    Leftovers(
      observers: node.observers, subscribers: channel.subscriberCount, bagged: node.knot.bag.count)
  }

  private func observe(_ kind: Int) async {
    switch kind {
    case 0: for await _ in node.states {}
    case 1: for await _ in node.states(buffering: .unbounded) {}
    case 2: for await _ in node.states { break }
    case 3: _ = node.states(buffering: .bufferingNewest(1)).makeAsyncIterator()
    case 4: for await _ in channel.subscribe() {}
    case 5: for await _ in channel.subscribe().withLatest(from: node.states) {}
    case 6: await node.observe(in: node.knot.bag) { _, _ in }.cancel()
    default:
      let entry = channel.subscribe().pipe(to: node, in: node.knot.bag) { $1.value += $0 }
      if Task.isCancelled { entry.cancel() }
    }
  }
}

/// Returns the resident memory of the process in bytes, or `nil` if the system has no `/proc/self/statm`.
func residentBytes() -> Int? {
  guard let file = fopen("/proc/self/statm", "r") else { return nil }
  defer { fclose(file) }
  var text = [CChar](repeating: 0, count: 128)
  guard fgets(&text, Int32(text.count), file) != nil else { return nil }
  let numbers = String(decoding: text.prefix { $0 > 0 }.map(UInt8.init), as: UTF8.self)
    .split(separator: " ")
  return numbers.dropFirst().first.flatMap { Int($0) }.map { $0 * Int(getpagesize()) }
}
