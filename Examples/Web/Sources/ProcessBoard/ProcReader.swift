#if os(Linux)
  import Glibc

  /// Reads the processes from `/proc`.
  public struct ProcReader: ProcessReader {
    /// The error if `/proc` cannot be read.
    public struct Unreadable: Error, CustomStringConvertible {
      /// The message for the user.
      public var description: String { "/proc cannot be read" }
    }

    private let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))
    private let pageSize = sysconf(Int32(_SC_PAGESIZE))
    private var users = UserNames()
    /// A cache of command lines, because command lines rarely change, and reading thousands of them takes time.
    private var commands: [ProcessID: String] = [:]

    /// Creates a reader.
    public init() {}

    /// Reads all processes.
    public mutating func read() throws -> Reading {
      guard let directory = opendir("/proc") else { throw Unreadable() }
      defer { closedir(directory) }
      var reading = Reading(time: Self.now)
      var known: [ProcessID: String] = [:]
      while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard let number = Int(name), let process = process(number) else { continue }
        known[process.id] = process.command
        reading.processes.append(process)
      }
      commands = known
      if let (used, total) = Self.bytes(of: "/proc/meminfo").flatMap(ProcFiles.memory) {
        reading.memoryUsed = used
        reading.memoryTotal = total
      }
      // The file begins with a line for each processor, so 1 MiB is enough for 4,096 processors.
      let stat = Self.bytes(of: "/proc/stat", limit: 1 << 20)
      if let (busy, cores) = stat.flatMap(ProcFiles.processors) {
        reading.busyTime = Double(busy) / ticksPerSecond
        reading.cores = cores
      }
      reading.load = Self.bytes(of: "/proc/loadavg").flatMap(ProcFiles.load) ?? 0
      return reading
    }

    /// Reads a process; returns `nil` if it has ended in the meantime.
    private mutating func process(_ number: Int) -> Reading.Process? {
      let folder = "/proc/\(number)"
      var about = stat()
      guard
        lstat(folder, &about) == 0,
        let stat = Self.bytes(of: folder + "/stat").flatMap(ProcFiles.stat)
      else { return nil }
      let id = ProcessID(number: number, start: stat.startTicks)
      let command =
        commands[id] ?? Self.bytes(of: folder + "/cmdline").map(ProcFiles.commandLine) ?? ""
      return Reading.Process(
        id: id, user: users.name(of: about.st_uid), name: stat.name,
        command: command.isEmpty ? stat.name : command,
        processorTime: Double(stat.processorTicks) / ticksPerSecond, memory: stat.pages * pageSize)
    }

    private static var now: Double {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Returns the first bytes of a file, at most `limit`.
    private static func bytes(of path: String, limit: Int = 16_384) -> [UInt8]? {
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      var isRead = true
      let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
        while count < buffer.count {
          let rest = UnsafeMutableBufferPointer(rebasing: buffer[count...])
          let part = Glibc.read(file, rest.baseAddress, rest.count)
          if part < 0 { isRead = false }
          guard part > 0 else { break }
          count += part
        }
      }
      return isRead ? bytes : nil
    }
  }
#endif
