@testable import AsyncKnot
import AsyncKnotTesting
import Testing

@Suite struct ReducerStacksTests {
  @Test("S18: reducers on sixty stacks are found, though some stacks share a cell")
  func sharedCells() {
    let stacks = ReducerStacks.shared
    var random = SeededGenerator(seed: 1)
    // No stack lies at these low addresses.
    let frames = (0..<60).map { _ in UInt.random(in: 1..<1 << 20, using: &random) << 19 + 0x8000 }
    let cells = frames.map(stacks.note)
    let found = frames.map { stacks.haveReducer(above: $0 - 512) }
    for cell in cells { cell.clear() }
    let stillFound = frames.filter { stacks.haveReducer(above: $0 - 512) }
    #expect(!found.contains(false))
    #expect(stillFound.isEmpty)
  }
}
