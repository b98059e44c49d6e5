// ThreadSanitizer reports a race in this program, which uses only the standard library: the runtime orders
// `resume` before the code after the `await` with atomics that are not instrumented. See tsan-suppressions.txt.
//   swiftc -sanitize=thread -swift-version 6 tsan-continuation.swift -o t && LD_PRELOAD=tsan-mutex.so ./t
import Synchronization

/// Passes continuations from one thread to another under a lock.
final class Post: Sendable {
  let parked = Mutex<[UnsafeContinuation<Void, Never>]>([])
}
let post = Post()
let done = Atomic(0)
let resumer = Task.detached {
  while done.load(ordering: .relaxed) < 4 {
    let all = post.parked.withLock { all in
      defer { all = [] }
      return all
    }
    for one in all { one.resume() }
  }
}
await withDiscardingTaskGroup { group in
  for _ in 0..<4 {
    group.addTask {
      for _ in 0..<200_000 {
        await withUnsafeContinuation { continuation in post.parked.withLock { $0.append(continuation) } }
      }
      done.add(1, ordering: .relaxed)
    }
  }
}
await resumer.value
print("done")
