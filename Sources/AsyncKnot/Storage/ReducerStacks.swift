public import Synchronization

/// The stacks on which reducers run now, for a caller that asks whether a reducer called it.
///
/// A reducer that waits for another holder's reducer may wait for ever (S18), and a release build
/// has to find that, too. The thread would be known by a thread-local variable, which the standard
/// library does not have. So the table has some cells for each part of the address space, chosen by
/// a hash, and a reducer stores its stack address in the first free one of its part's cells.
/// Different threads have their stacks in different parts. Two parts may share cells: if more
/// reducers run on such stacks than there are cells, one of them is not found.
@usableFromInline
@safe package struct ReducerStacks: Sendable {
  /// The cell of a part of the address space.
  @usableFromInline
  @safe struct Cell {
    /// The stack address of a running reducer; 0 if none runs in this part.
    @usableFromInline let frame: UnsafeMutablePointer<Atomic<UInt>>

    init(frame: UnsafeMutablePointer<Atomic<UInt>>) { unsafe self.frame = frame }

    /// The stack address that was stored last.
    var address: UInt { unsafe frame.pointee.load(ordering: .relaxed) }

    /// Whether a reducer has stored its stack address, and has not ended.
    var isTaken: Bool { address != 0 }

    /// Notes that the reducer has ended.
    @inlinable
    func clear() { unsafe frame.pointee.store(0, ordering: .relaxed) }
  }

  /// The table; its memory is never released.
  static let shared = ReducerStacks()

  private nonisolated(unsafe) let cells: UnsafeMutablePointer<Atomic<UInt>>

  private init() {
    let count = ((1 << Int(Self.cellBits)) + Self.choices) * Self.stride
    unsafe cells = .allocate(capacity: count)
    for index in 0..<count { unsafe (cells + index).initialize(to: Atomic(0)) }
  }

  /// Stores the stack address of a reducer that begins.
  ///
  /// - Returns: The cell, to be cleared when the reducer ends.
  func note(_ address: UInt) -> Cell {
    let part = address >> Self.partBits
    var cell = cell(of: part)
    if cell.isTaken { cell = freeCell(of: part) }
    unsafe cell.frame.pointee.store(address, ordering: .relaxed)
    return cell
  }

  /// A cell for a reducer whose first one is taken; if all are, the last.
  @inline(never)
  private func freeCell(of part: UInt) -> Cell {
    let last = Self.choices - 1
    return cell(of: part, (1..<last).first { !cell(of: part, $0).isTaken } ?? last)
  }

  /// Whether a reducer called the calling code, directly or not, to judge by the stack.
  @inline(never)
  static var haveCaller: Bool {
    var local: UInt8 = 0
    let address = unsafe withUnsafePointer(to: &local) { UInt(bitPattern: $0) }
    return shared.haveReducer(above: address)
  }

  /// Whether a running reducer made the call that has `address` on its stack.
  func haveReducer(above address: UInt) -> Bool {
    let part = address >> Self.partBits
    return [part, part + 1].contains { part in
      (0..<Self.choices).contains { Self.isInside(address, cell(of: part, $0).address) }
    }
  }

  /// Whether a stack address belongs to a call that the reducer at `frame` made.
  static func isInside(_ address: UInt, _ frame: UInt) -> Bool {
    address < frame && frame - address < reach
  }

  /// One of the cells in which a reducer on this part of the address space may store its address.
  private func cell(of part: UInt, _ choice: Int = 0) -> Cell {
    // Fibonacci hashing: Knuth, The Art of Computer Programming, volume 3, section 6.4.
    let hash = UInt64(part) &* 0x9E37_79B9_7F4A_7C15
    let index = Int(hash >> (64 - Self.cellBits)) + choice
    return unsafe Cell(frame: cells + index * Self.stride)
  }

  /// The greatest distance, in bytes, between a reducer's stack address and that of a call made by
  /// the reducer.
  private static var reach: UInt { 64 * 1024 }
  /// The binary logarithm of the size of a part, in bytes: hardly a stack is smaller.
  private static var partBits: UInt { 19 }
  /// The binary logarithm of the number of cells that the hash chooses from.
  private static var cellBits: UInt64 { 8 }
  /// The number of neighbouring cells that a part may use.
  private static var choices: Int { 4 }
  /// The distance of two cells: a cache line, so that threads do not disturb each other.
  private static var stride: Int { 8 }
}
