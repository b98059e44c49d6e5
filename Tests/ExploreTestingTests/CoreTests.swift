import Foundation

#if os(Linux)
  /// Tests that nothing outside a run is bound to the core on which the run's threads take turns.
  @Suite struct CoreTests {
    /// Whether the calling thread is bound to one core, as the kernel sees it.
    private static var isBound: Bool {
      let status = try? String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }
      return line?.contains { $0 == "-" || $0 == "," } == false
    }

    /// Starts a thread and waits until it has run `body`.
    private static func onNewThread<Result: Sendable>(
      _ body: @escaping @Sendable () -> Result
    ) -> Result? {
      let (result, isDone) = (Shared<Result?>(nil), DispatchSemaphore(value: 0))
      Thread.detachNewThread {
        result.value = body()
        isDone.signal()
      }
      isDone.wait()
      return result.value
    }

    /// Returns the number of cores that a new process may use.
    private static func coresOfNewProcess() throws -> Int? {
      let (process, pipe) = (Process(), Pipe())
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["nproc"]
      process.standardOutput = pipe
      try process.run()
      let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      return Int(output.filter(\.isNumber))
    }

    @Test(
      "X3: threads and processes that a run starts, and the code after it, may use all cores",
      .enabled(if: !isBound))
    func roaming() async throws {
      let (spawned, cores) = (Shared(0), try Self.coresOfNewProcess())
      var exploration = Exploration(seeds: 100)
      exploration.interrupts = true
      await explore(exploration) {
        let task = Task.detached {
          let isBound = Self.isBound
          sometimes("the job is bound to a core", isBound)
          try hold(Self.onNewThread { Self.isBound } == false, "a new thread is bound")
          if isBound, spawned.value < 3 {
            spawned.value += 1
            try hold(Self.coresOfNewProcess() == cores, "a new process is bound")
          }
          try hold(Self.isBound == isBound, "the job lost its binding")
        }
        for _ in 0..<3 { preemptionPoint() }
        try await task.value
      }
      #expect(spawned.value == 3)
      #expect(!Self.isBound)
      #expect(Self.onNewThread { Self.isBound } == false)
    }
  }
#endif
