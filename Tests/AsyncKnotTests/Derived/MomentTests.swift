import Foundation

/// Writes a source from another thread while derived sources are evaluated.
@Suite struct MomentTests {
  /// A source that any thread may write.
  private final class Number: StateSource {
    let knot = Knot(1)
    let isDue = Shared(false)

    /// Called by a derivation.
    ///
    /// If `isDue` is true, another thread writes 2 and calls `body`, and this call waits for that thread.
    func interrupt(_ body: @escaping @Sendable (Number) -> Void) {
      let isDue = isDue.mutex.withLock { isDue in
        defer { isDue = false }
        return isDue
      }
      guard isDue else { return }
      let end = DispatchSemaphore(value: 0)
      Thread.detachNewThread { [self] in
        knot.exchange(for: 2, by: ObjectIdentifier(self))
        body(self)
        end.signal()
      }
      end.wait()
    }
  }

  @Test("S20, S23: a write between two derivations of one source is seen by both or by neither")
  func betweenTwo() {
    let number = Number()
    let parts = (0..<2).map { _ in
      Derived(from: number) { value in
        number.interrupt { _ in }
        return value
      }
    }
    let both = Derived<[Int]>(from: parts[0], parts[1], number) { [$0, $1, $2] }
    #expect(both.state == [1, 1, 1])
    for _ in 0..<2 {
      number.knot.exchange(for: 1, by: ObjectIdentifier(number))
      number.isDue.value = true
      #expect(both.state == [1, 1, 1])
      #expect(both.state == [2, 2, 2])
    }
  }

  @Test(
    "S20, S23: states of two moments are never mixed, even if one source is busy while others are read"
  )
  func busySource() {
    for isNested in (0..<60).map({ $0.isMultiple(of: 2) }) {
      let (first, busy, last) = (Number(), Number(), Number())
      let sum = Derived(from: first, busy) { $0 + $1 }
      let both =
        isNested
        ? Derived(from: sum, last) { [$0 - 1, $1] }
        : Derived(from: first, busy, last) { [$0, $2] }
      #expect(both.state == [1, 1])
      // Makes the derived states out of date, so that the sources are read.
      first.knot.exchange(for: 1, by: ObjectIdentifier(first))
      let (isBusy, isFree, isReading) = (Shared(false), Shared(false), Shared(false))
      let (states, end) = (Shared<[Int]>([]), DispatchSemaphore(value: 0))
      Thread.detachNewThread {
        busy.knot.write(by: ObjectIdentifier(busy)) { _ in
          isBusy.value = true
          while !isFree.value { sched_yield() }
        }
        end.signal()
      }
      while !isBusy.value { sched_yield() }
      Thread.detachNewThread {
        isReading.value = true
        states.value = both.state
        end.signal()
      }
      while !isReading.value { sched_yield() }
      // By now, or very soon, the reader has read some of the other sources and is blocked on the busy one.
      for _ in 0..<1_000 { sched_yield() }
      for number in [first, last] { number.knot.exchange(for: 2, by: ObjectIdentifier(number)) }
      isFree.value = true
      for _ in 0..<2 { end.wait() }
      #expect([[1, 1], [2, 2]].contains(states.value))
    }
  }

  @Test(
    "S23: a combination never mixes versions of a source, even if a part is evaluated concurrently"
  )
  func firstEvaluation() {
    let (number, computed) = (Number(), Log<Int>())
    let old = Derived(from: number) { value in
      computed.append(value)
      return value
    }
    #expect(old.state == 1)
    number.isDue.value = true
    let new = Derived(from: number) { value in
      number.interrupt { _ in _ = old.state }
      return value
    }
    let both = Derived<[Int]>(from: new, old) { [$0, $1] }
    #expect(both.state == [2, 2])
    #expect(computed.all == [1, 2])
  }
}
