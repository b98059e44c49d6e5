import AsyncKnotTesting
import Synchronization
import Testing
import Zoo
final class Outcomes<T: Hashable & Sendable>: Sendable {
  let all = Mutex<[T: Int]>([:])
  func add(_ t: T) { all.withLock { $0[t, default: 0] += 1 } }
}
@Suite struct LabTests {
  @Test func outcomes() async {
    let o = Outcomes<Int>()
    var account = RunAccount?.none
    for seed in 0..<500 { account = await Exploration().run(seed: UInt64(seed)) { o.add(await race()) }.account }
    print(o.all.withLock { $0 }, account as Any)
    let p = Outcomes<[Int]>()
    for seed in 0..<500 { account = await Exploration().run(seed: UInt64(seed)) {
      let m = await Model()
      let t = (0..<3).map { i in Task { @MainActor in MainActor.assertIsolated(); await m.add(i) } }
      for t in t { await t.value }
      p.add(await m.log + [await m.number])
    }.account }
    print(p.all.withLock { $0 }, account as Any)
    let q = Outcomes<[Int]>()
    for seed in 0..<500 { account = await Exploration().run(seed: UInt64(seed)) {
      let m = await Model(); await m.start(); await untilIdle(); q.add(await m.log)
    }.account }
    print(q.all.withLock { $0 }, account as Any)
    let r = Outcomes<[Int]>()
    for seed in 0..<500 { account = await Exploration().run(seed: UInt64(seed)) {
      let start = ContinuousClock.now
      let m = await Model(); await m.load(); try await Task.sleep(for: .seconds(3)); r.add(await m.log)
      #expect(start.duration(to: .now) == .seconds(3))
    }.account }
    print(r.all.withLock { $0 }, account as Any)
  }
}
enum Loc { @TaskLocal static var v = 0 }
@Suite struct DetachedTests {
  @Test func detachedIssue() async {
    await withKnownIssue {
      await explore(seeds: 5) {
        await Loc.$v.withValue(3) {
          await Task.detached { if Exploration.seed == 3 { #expect(Loc.v != 0) } else { #expect(Loc.v == 0) } }.value
        }
      }
    }
  }
}
