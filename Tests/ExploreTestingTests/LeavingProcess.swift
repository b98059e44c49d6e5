import Foundation

/// Tests that end their process or a child of it; `VerdictTests` runs each of them in a process of its own.
@Suite(.enabled(if: TestProcess.isThis), .serialized) struct Left {
  private static func perform(_ exploration: Exploration, _ leave: @escaping @Sendable () -> Void)
    async
  {
    await explore(exploration) {
      let task = Task { await Task.yield() }
      await Task.yield()
      if Exploration.seed == 3 { leave() }
      await task.value
    }
  }

  @Test func exits() async { await Self.perform(Exploration(seeds: 10)) { exit(0) } }

  @Test func leaves() async { await Self.perform(Exploration(seeds: 10)) { _exit(3) } }

  @Test func raises() async { await Self.perform(Exploration(seeds: 10)) { raise(SIGTRAP) } }

  @Test func faults() async { await Self.perform(Exploration(seeds: 10)) { raise(SIGSEGV) } }

  @Test func isKilled() async {
    await Self.perform(Exploration(seeds: 10)) { kill(getpid(), SIGSEGV) }
  }

  private static func writeToNobody() {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    close(ends[0])
    _ = write(ends[1], "x", 1)
  }

  @Test func writesToNobody() async {
    await Self.perform(Exploration(seeds: 10)) { Self.writeToNobody() }
  }

  @Test func survivesABrokenPipe() async {
    var exploration = Exploration(seeds: 10)
    exploration.survivesTraps = true
    await Self.perform(exploration) { Self.writeToNobody() }
  }

  @Test func forks() async throws {
    // Swift does not offer `fork`, so find the function by its name.
    let symbol = try #require(dlsym(nil, "fork"))
    let fork = unsafeBitCast(symbol, to: (@convention(c) @Sendable () -> pid_t).self)
    await Self.perform(Exploration(seeds: 10)) {
      let child = fork()
      if child == 0 { _exit(0) }
      var status: Int32 = -1
      waitpid(child, &status, 0)
      #expect(child > 0 && status == 0)
    }
  }

  @Test func exitsOnAThread() async {
    await Self.perform(Exploration(seeds: 10)) {
      Thread { exit(0) }.start()
      while true { usleep(1_000) }
    }
  }

  @Test func survives() async {
    var exploration = Exploration(seeds: 10)
    exploration.survivesTraps = true
    await Self.perform(exploration) { exit(0) }
  }
}
