@testable import AsyncKnot
import Testing

@Suite struct ReducerStacksTests {
  @Test("S18: reducers on forty stacks are found, though some stacks share a cell")
  func sharedCells() {
    let stacks = ReducerStacks.shared
    // No stack lies at these low addresses, so other tests do not note theirs.
    let frames = (1...40).map { UInt($0) << 20 + 0x8000 }
    let cells = frames.map(stacks.note)
    let found = frames.map { stacks.haveReducer(above: $0 - 512) }
    for cell in cells { cell.clear() }
    let stillFound = frames.filter { stacks.haveReducer(above: $0 - 512) }
    #expect(!found.contains(false))
    #expect(stillFound.isEmpty)
  }
}
