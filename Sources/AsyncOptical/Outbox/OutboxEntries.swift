/// The items of an outbox, in the order made.
struct OutboxEntries<Item: Identifiable & Sendable> where Item.ID: Sendable {
  struct Entry {
    let number: Int
    /// `nil` if the bytes cannot be decoded.
    let item: Item?
    let bytes: [UInt8]
    var isStored: Bool
    var isSent = false
  }

  private var all: [Entry] = []
  private var lastNumber = 0

  func contains(_ id: Item.ID) -> Bool { all.contains { $0.item?.id == id } }

  @discardableResult
  mutating func add(_ item: Item?, _ bytes: [UInt8], isStored: Bool) -> Int {
    lastNumber += 1
    all.append(Entry(number: lastNumber, item: item, bytes: bytes, isStored: isStored))
    return lastNumber
  }

  /// The items that are stored and on no way to the holder; from now on they are.
  mutating func takeUnsent() -> [Entry] {
    var unsent: [Entry] = []
    for index in all.indices where all[index].isStored && !all[index].isSent {
      all[index].isSent = true
      unsent.append(all[index])
    }
    return unsent
  }

  mutating func markUnsent(_ number: Int) {
    if let index = index(of: number) { all[index].isSent = false }
  }

  mutating func remove(_ number: Int) { if let index = index(of: number) { all.remove(at: index) } }

  mutating func removeUnreadable() -> [Entry] {
    defer { all.removeAll { $0.item == nil } }
    return all.filter { $0.item == nil }
  }

  mutating func putBack(_ entries: [Entry]) {
    all = (all + entries).sorted { $0.number < $1.number }
  }

  /// Removes an entry that was never stored; returns whether it was there.
  mutating func removeUnstored(_ number: Int) -> Bool {
    guard let index = index(of: number), !all[index].isStored else { return false }
    all.remove(at: index)
    return true
  }

  /// What is to be stored, and the numbers of that.
  var stored: (numbers: Set<Int>, records: [[UInt8]]) {
    (Set(all.map(\.number)), all.map(\.bytes))
  }

  mutating func wasWritten(_ numbers: Set<Int>) {
    for index in all.indices where numbers.contains(all[index].number) {
      all[index].isStored = true
    }
  }

  /// The items that wait, and the bytes that cannot be decoded.
  var split: (waiting: [Item], unreadable: [[UInt8]]) {
    (all.filter(\.isStored).compactMap(\.item), all.filter { $0.item == nil }.map(\.bytes))
  }

  private func index(of number: Int) -> Int? { all.firstIndex { $0.number == number } }
}

/// Records as bytes: the length of each as a line of text, then the record.
enum OutboxRecords {
  struct Damaged: Error, CustomStringConvertible {
    let offset: Int
    var description: String { "the outbox is damaged: at byte \(offset) there is no record" }
  }

  @Sendable static func encode(_ records: [[UInt8]]) -> [UInt8] {
    records.flatMap { Array("\($0.count)\n".utf8) + $0 }
  }

  @Sendable static func decode(_ bytes: [UInt8]) throws -> [[UInt8]] {
    var (records, rest) = ([[UInt8]](), bytes[...])
    while !rest.isEmpty {
      guard let end = rest.prefix(20).firstIndex(of: UInt8(ascii: "\n")),
        let count = Int(String(decoding: rest[..<end], as: UTF8.self)), count >= 0,
        count <= rest.endIndex - end - 1
      else { throw Damaged(offset: rest.startIndex) }
      records.append(Array(rest[(end + 1)...].prefix(count)))
      rest = rest[(end + 1)...].dropFirst(count)
    }
    return records
  }
}
