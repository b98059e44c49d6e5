import AsyncKnot
import AsyncKnotTesting
import TestSupport
import Testing

/// Writes by user code that runs during another write, such as the `deinit` of a value that the other write releases.
@Suite struct NestedWriteTests {
  private struct Page: KnotState {
    var number = 0
    var last: Farewell?
    static func defaultState() -> Self { Self() }
  }

  private actor Reader: Knotable {
    let knot = Knot<Page>()
    let drawn = Log<Int>()
    func update(_ page: Page) { drawn.append(page.number) }
    func turn(to number: Int) { sink(Page(number: number)) }
    func watch(in bag: TaskBag, _ last: Farewell) { observe(in: bag) { _, _ in _ = last } }
    func turn(to number: Int, ending bag: TaskBag) {
      reduce {
        $0.number = number
        bag.cancel()
      }
    }
    /// Stores page 1, whose release writes page 3, and then replaces page 1 with page 2.
    func turnThreePages() {
      let last = Farewell { [weak self] in self?.assumeIsolated { $0.turn(to: 3) } }
      sink(Page(number: 1, last: last))
      turn(to: 2)
    }
    /// Stores page 1, which only a full buffer keeps afterward.
    func turnTwoPages() {
      sink(
        Page(number: 1, last: Farewell { [weak self] in self?.assumeIsolated { $0.turn(to: 3) } }))
      reduce {
        $0.number = 2
        $0.last = nil
      }
    }
  }

  @Test(
    "S2, S12: if a reducer releases a value whose deinit writes, the write follows the reduction")
  func afterTheReducer() async {
    let (reader, bag) = (Reader(), TaskBag())
    var states = reader.states(buffering: .unbounded).makeAsyncIterator()
    #expect(await states.next()?.number == 0)
    func watch() async {
      let last = Farewell { [weak reader] in reader?.assumeIsolated { $0.turn(to: 2) } }
      await reader.watch(in: bag, last)
    }
    await watch()
    await reader.turn(to: 1, ending: bag)
    for number in 1...2 { #expect(await states.next()?.number == number) }
    #expect(reader.drawn.all == [1, 2])
  }

  @Test("S3: observers get the newest state, even if the deinit of a dropped state writes it")
  func droppedState() async {
    let reader = Reader()
    var iterators = (0..<2).map { _ in
      reader.states(buffering: .bufferingNewest(1)).makeAsyncIterator()
    }
    await reader.turnThreePages()
    for index in iterators.indices { #expect(await iterators[index].next()?.number == 3) }
  }

  @Test(
    "S12: a state that the deinit of a dropped state writes is drawn after the write that dropped it"
  )
  func drawnInOrder() async {
    let reader = Reader()
    var buffer = reader.states(buffering: .bufferingNewest(1)).makeAsyncIterator()
    await reader.turnTwoPages()
    #expect(reader.drawn.all == [1, 2, 3])
    #expect(await buffer.next()?.number == 3)
    let other = Reader()
    await other.turnThreePages()
    #expect(other.drawn.all == [1, 2, 3])
  }

  @Test("S21: an operator delivers nothing more after its closure has cancelled the task")
  func cancelledByTheClosure() async {
    let (reader, seen) = (Reader(), Log<Int>())
    await Task {
      let filtered = Elements(elements: [1, 2, 3]).filter(with: reader) { number, _ in
        if number == 2 { withUnsafeCurrentTask { $0?.cancel() } }
        return true
      }
      for await number in filtered { seen.append(number) }
    }.value
    #expect(seen.all == [1])
  }
}
