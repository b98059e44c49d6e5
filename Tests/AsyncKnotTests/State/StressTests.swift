@Suite struct StressTests {
  @Test(
    "S1, S2, S3, S8: 64 producers lose no update, and 1,000 observers see states in order up to the last"
  )
  func manyObserversAndProducers() async {
    let node = PlainNode()
    // Under a sanitizer, a producer makes only a few reductions before it yields, and then every observer wakes. Without a
    // sanitizer, an optimized build makes a million updates.
    let each = isSanitized ? 20 : isDebug ? 300 : 15_625
    let final = 64 * each
    let ends = await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<1_000 {
        group.addTask {
          var last = -1
          for await state in node.states {
            guard state.count > last else { return nil }
            last = state.count
            if last == final { break }
          }
          return last
        }
      }
      await withDiscardingTaskGroup { producers in
        for _ in 0..<64 {
          producers.addTask {
            await Elements(elements: Array(0..<each)).pipe(to: node) { _, state in state.count += 1
            }
          }
        }
      }
      return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    #expect(ends == [final: 1_000])
    #expect(node.state.count == final)
    #expect(node.knot.observerCount == 0)
  }
}
