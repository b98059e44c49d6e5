/// Growable memory for plain values; the memory has one owner and is never copied.
///
/// No other part of the diff allocates memory by hand. Bounds are checked in debug builds. The fuzzer, which is a release build,
/// checks accesses with AddressSanitizer instead.
@safe @usableFromInline
struct Scratch<Value: BitwiseCopyable & Sendable>: ~Copyable, Sendable {
  /// The only pointer to this memory, so the memory can move to another thread with its owner.
  @usableFromInline nonisolated(unsafe) var base: UnsafeMutablePointer<Value>
  @usableFromInline private(set) var capacity: Int

  init() {
    unsafe base = .allocate(capacity: 0)
    capacity = 0
  }

  @inlinable
  deinit { unsafe base.deallocate() }

  /// Reserves memory for `count` values and sets each of them to `value`; earlier values are lost.
  mutating func reset(count: Int, to value: Value) {
    reserve(count)
    unsafe base.update(repeating: value, count: count)
  }

  /// Reserves memory for `count` values, which must be written before they are read; earlier values can be lost.
  mutating func reserve(_ count: Int) {
    guard count > capacity else { return }
    unsafe base.deallocate()
    unsafe base = .allocate(capacity: count)
    capacity = count
  }

  /// The size in bytes.
  var size: Int { capacity * MemoryLayout<Value>.stride }

  @inlinable
  subscript(_ index: Int) -> Value {
    get {
      assert(index >= 0 && index < capacity, "no value at \(index) of \(capacity)")
      return unsafe base[index]
    }
    nonmutating set {
      assert(index >= 0 && index < capacity, "no value at \(index) of \(capacity)")
      unsafe base[index] = newValue
    }
  }
}
