/// The items of an outbox, in the order of the `send` calls.
struct OutboxEntries<Item: Identifiable & Sendable> where Item.ID: Sendable {
  /// The items of the readable entries of `list`.
  private var items: [Item] = []
  private(set) var list = OutboxList()

  /// The items that are stored.
  var waiting: [Item] {
    let count = list.ready.count
    return count == items.count ? items : Array(items[..<count])
  }

  func contains(_ id: Item.ID) -> Bool { items.contains { $0.id == id } }

  /// Returns the number of the stored item with an id.
  func number(of id: Item.ID) -> Int? {
    waiting.firstIndex { $0.id == id }.map { list.ready[$0].number }
  }

  /// Adds an item or, if `item` is `nil`, bytes that cannot be decoded; returns the number of the new entry.
  @discardableResult
  mutating func add(_ item: Item?, _ bytes: [UInt8], in lane: Lane?) -> Int {
    if let item { items.append(item) }
    return list.add(bytes, isReadable: item != nil, in: lane)
  }

  mutating func remove(_ number: Int) {
    if let index = list.remove(number) { items.remove(at: index) }
  }

  /// Removes an item that was never stored; returns `false` if there is no such item.
  mutating func removeUnstored(_ number: Int) -> Bool {
    guard number > list.lastStored, list.contains(number) else { return false }
    remove(number)
    return true
  }

  mutating func removeUnreadable() { list.removeUnreadable() }

  mutating func wasWritten(through number: Int) { list.lastStored = number }
}

/// The part of the entries that does not depend on the item type, so that its loops are compiled only once.
struct OutboxList {
  struct Entry {
    let number: Int
    let bytes: [UInt8]
    /// Whether the bytes could be decoded.
    let isReadable: Bool
    /// The lane of the item's request, as a number.
    let lane: Int
  }

  private(set) var entries: [Entry] = []
  private(set) var lastNumber = 0
  /// The greatest number of a stored entry; entries with greater numbers are not stored yet.
  var lastStored = 0
  /// The known lanes, including some that no entry uses any longer.
  private(set) var lanes: [Lane: Int] = [:]

  /// The stored entries that can be decoded, oldest first.
  var ready: [Entry] { entries.filter { $0.isReadable && $0.number <= lastStored } }

  var unreadable: [Entry] { entries.filter { !$0.isReadable } }

  func contains(_ number: Int) -> Bool { entries.contains { $0.number == number } }

  mutating func add(_ bytes: [UInt8], isReadable: Bool, in lane: Lane?) -> Int {
    lastNumber += 1
    entries.append(
      Entry(number: lastNumber, bytes: bytes, isReadable: isReadable, lane: number(of: lane)))
    return lastNumber
  }

  /// Returns the number of a lane; an item without a lane, or with a `.concurrent` one, uses its own number.
  private mutating func number(of lane: Lane?) -> Int {
    guard let lane, lane.kind != .concurrent else { return lastNumber }
    if let known = lanes[lane] { return known }
    if lanes.count > 2 * entries.count + 16 {
      let used = Set(entries.map(\.lane))
      lanes = lanes.filter { used.contains($0.value) }
    }
    lanes[lane] = lastNumber
    return lastNumber
  }

  /// Removes a readable entry and returns its index among the readable entries.
  mutating func remove(_ number: Int) -> Int? {
    guard let index = entries.firstIndex(where: { $0.number == number }) else { return nil }
    defer { entries.remove(at: index) }
    return entries[..<index].count { $0.isReadable }
  }

  mutating func removeUnreadable() { entries.removeAll { !$0.isReadable } }
}

/// Encodes records as bytes: for each record, a line with its length and then its bytes.
enum OutboxRecords {
  struct Damaged: Error, CustomStringConvertible {
    let offset: Int
    var description: String {
      "the outbox's stored bytes are damaged: expected a record at byte \(offset)"
    }
  }

  @Sendable static func encode(_ records: [[UInt8]]) -> [UInt8] {
    var bytes: [UInt8] = []
    for record in records {
      bytes += "\(record.count)\n".utf8
      bytes += record
    }
    return bytes
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

extension StateArchive<[[UInt8]]> {
  /// Creates an archive of the encoded items of an outbox.
  init(itemsIn storage: any StateStorage) {
    self.init(storage: storage, encode: OutboxRecords.encode, decode: OutboxRecords.decode)
    content = .outbox
  }
}
