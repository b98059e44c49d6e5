import AsyncKnot
import Foundation
import Measure

/// Measures 10,000 observers that subscribe and are cancelled while they wait.
func measureSubscriptions() async {
  let observers = 10_000
  let race = Race("Subscribe, cancel and join, per observer including its task", runs: 5)
  await race.row(
    "states", operations: observers,
    {
      let node = Node()
      await withTaskGroup { group in
        for _ in 0..<observers { group.addTask { for await _ in node.states {} } }
        group.cancelAll()
      }
    },
    Contender("AsyncStream each") {
      await withTaskGroup { group in
        for _ in 0..<observers {
          let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
          continuation.yield(0)
          group.addTask {
            for await _ in stream {}
            _ = continuation
          }
        }
        group.cancelAll()
      }
    })
}

/// Measures the resident memory that each of many suspended observers adds.
func measureIdleObservers() async {
  let observers = 100_000
  let report = Report([
    "memory of an idle observer", "bytes per observer, including its task", "without its task",
  ])
  let node = Node()
  let tasks = await memory(of: observers) { _ in
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }
  let ours = await memory(of: observers) { _ in for await _ in node.states {} }
  let streams = await memory(of: observers) { _ in
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
  }
  for (name, bytes) in [("a waiting task", tasks), ("states", ours), ("AsyncStream", streams)] {
    report.row(name, figure(Double(bytes)), figure(Double(max(0, bytes - tasks))))
  }
}

/// Starts tasks that never end, and returns the memory per task.
private func memory(of tasks: Int, _ body: @escaping @Sendable (Int) async -> Void) async -> Int {
  let before = residentSize()
  for number in 0..<tasks { Task { await body(number) } }
  // A task of low priority runs after all these tasks have suspended.
  await Task(priority: .background) { for _ in 0..<1_000 { await Task.yield() } }.value
  var size = residentSize()
  while true {
    try? await Task.sleep(for: .milliseconds(50))
    let now = residentSize()
    if now == size { break }
    size = now
  }
  return (size - before) / tasks
}

private func residentSize() -> Int {
  let statm = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
  let pages = statm.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  return pages * 4_096
}
