import Testing

@testable import ProcessBoard

@Suite struct ProcFilesTests {
  private func stat(name: String) -> [UInt8] {
    Array(
      "10532 (\(name)) R 10526 10526 3157 0 -1 4194304 99 0 0 0 70 5 0 0 20 0 1 0 101486 3133440 360 1844"
        .utf8)
  }

  @Test(arguments: ["cat", "a b", "a) R 1 (b", ")", "(", "", "((sd-pam))"])
  func nameCanContainParenthesesAndSpaces(name: String) throws {
    let stat = try #require(ProcFiles.stat(stat(name: name)))
    #expect(stat == ProcFiles.Stat(name: name, processorTicks: 75, startTicks: 101_486, pages: 360))
  }

  @Test(arguments: [
    "", "1", "1 (a", "1 a) R", ")(", "1 (a) R 1 2 3", "1 (a) R x y z 1 1 1 1 1 1 1 1 1 1 1 1 1",
  ])
  func invalidStatIsNil(text: String) {
    #expect(ProcFiles.stat(Array(text.utf8)) == nil)
  }

  @Test func zerosBetweenArgumentsBecomeSpaces() {
    #expect(ProcFiles.commandLine(Array("ls\0-l\0a b\0".utf8)) == "ls -l a b")
    #expect(ProcFiles.commandLine(Array("postgres: idle\0\0\0".utf8)) == "postgres: idle")
    #expect(ProcFiles.commandLine([]) == "")
  }

  @Test func usedMemoryIsTotalMinusAvailable() throws {
    let text = "MemTotal:       1000 kB\nMemFree:   1 kB\nMemAvailable:    600 kB\n"
    let memory = try #require(ProcFiles.memory(Array(text.utf8)))
    #expect(memory == (400 * 1_024, 1_000 * 1_024))
    #expect(ProcFiles.memory(Array("MemTotal: x kB\n".utf8)) == nil)
  }

  @Test func idleAndGuestTimesAreNotCounted() throws {
    let text = "cpu  10 1 20 400 30 2 3 4 5 6\ncpu0 1 1 1\ncpu1 1 1 1\nintr 5\ncpu9 1\n"
    let processors = try #require(ProcFiles.processors(Array(text.utf8)))
    #expect(processors == (40, 2))
    #expect(ProcFiles.processors(Array("intr 5\n".utf8)) == nil)
  }

  @Test func loadIsTheFirstValue() {
    #expect(ProcFiles.load(Array("1.29 1.60 1.22 1/85 10533\n".utf8)) == 1.29)
    #expect(ProcFiles.load([]) == nil)
  }

  #if os(Linux)
    @Test func systemCanBeRead() throws {
      var reader = ProcReader()
      let reading = try reader.read()
      #expect(
        reading.processes.contains { $0.memory > 0 && $0.processorTime >= 0 && !$0.user.isEmpty })
      #expect(reading.memoryTotal > reading.memoryUsed && reading.memoryUsed > 0)
      #expect(reading.cores >= 1 && reading.busyTime ?? 0 > 0)
    }
  #endif
}
