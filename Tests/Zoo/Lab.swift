import Synchronization
public actor Box { public var value = 0; public init() {}; public func get() -> Int { value }; public func set(_ n: Int) { value = n } }
@MainActor public final class Model {
  public var number = 0
  public var log: [Int] = []
  public init() {}
  public func add(_ i: Int) async { let x = number; await Task.yield(); number = x + 1; log.append(i) }
  public func start() { for i in 0..<3 { Task { log.append(i) } } }
  public func load() { Task { try? await Task.sleep(for: .seconds(1)); log.append(1) } ; Task { try? await Task.sleep(for: .seconds(2)); log.append(2) } }
}
public func race() async -> Int {
  let box = Box()
  let a = Task { for _ in 0..<3 { let v = await box.get(); await box.set(v + 1) } }
  let b = Task.detached { for _ in 0..<3 { let v = await box.get(); await box.set(v + 1) } }
  await a.value; await b.value
  return await box.value
}
