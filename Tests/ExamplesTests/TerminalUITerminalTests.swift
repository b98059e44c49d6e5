import Testing

@testable import TerminalUI

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("TerminalUI: a pseudo-terminal", .serialized)
struct TerminalUITerminalTests {
  private let device: PseudoTerminal

  init() throws { device = try PseudoTerminal(columns: 40, rows: 10) }

  @Test("A terminal is in raw mode inside run, and restored after it, even if the body throws")
  func restore() async throws {
    let before = device.localFlags
    try await Terminal.run(input: device.user, output: device.user) { terminal in
      #expect(device.localFlags & tcflag_t(ICANON | ECHO | ISIG) == 0)
      #expect(terminal.size == Size(columns: 40, rows: 10))
    }
    #expect(device.localFlags == before)
    struct Stop: Error {}
    await #expect(throws: Stop.self) {
      try await Terminal.run(input: device.user, output: device.user) { _ in throw Stop() }
    }
    #expect(device.localFlags == before)
    for _ in 1...2 {
      let written = device.written(through: "\u{1B}[?1049l")
      #expect(written.hasPrefix("\u{1B}[?1049h"))
    }
  }

  @Test("Only one terminal is in use at a time, and a file is not a terminal")
  func exclusive() async throws {
    try await Terminal.run(input: device.user, output: device.user) { _ in
      #expect(throws: Terminal.Failure.taken) {
        try Terminal(input: device.user, output: device.user)
      }
    }
    let file = open("/dev/null", O_RDWR)
    defer { _ = close(file) }
    #expect(throws: Terminal.Failure.notATerminal) { try Terminal(input: file, output: file) }
  }

  @Test("Keys that the user types arrive in order")
  func keys() async throws {
    let keys = try await Terminal.run(input: device.user, output: device.user) { terminal in
      let stream = terminal.keys
      device.type("a\u{1B}[A漢\u{3}")
      return await stream.prefix(4).reduce(into: [Key]()) { $0.append($1) }
    }
    #expect(keys == [.character("a"), .up, .character("漢"), .control("c")])
  }

  @Test("A new size arrives after the window has changed")
  func resize() async throws {
    try await Terminal.run(input: device.user, output: device.user) { terminal in
      var sizes = terminal.sizes.makeAsyncIterator()
      #expect(await sizes.next() == Size(columns: 40, rows: 10))
      device.resize(columns: 100, rows: 50)
      kill(getpid(), SIGWINCH)
      #expect(await sizes.next() == Size(columns: 100, rows: 50))
    }
  }
}

/// Both ends of a pseudo-terminal: `user` is the program's end, and `host` is the window's.
private final class PseudoTerminal: Sendable {
  struct Unavailable: Error {}
  let host: Int32
  let user: Int32

  init(columns: UInt16, rows: UInt16) throws {
    guard let (host, name) = Self.openHost() else { throw Unavailable() }
    self.host = host
    user = open(name, O_RDWR | O_NOCTTY)
    guard user >= 0 else { throw Unavailable() }
    resize(columns: columns, rows: rows)
  }

  #if canImport(Darwin)
    private static func openHost() -> (Int32, String)? {
      let host = posix_openpt(O_RDWR | O_NOCTTY)
      guard host >= 0, grantpt(host) == 0, unlockpt(host) == 0, let name = ptsname(host) else {
        return nil
      }
      return (host, String(cString: name))
    }
  #else
    /// Makes the same system calls as the standard functions, which are not in the Glibc module.
    private static func openHost() -> (Int32, String)? {
      let setLock: UInt = 0x4004_5431
      let getNumber: UInt = 0x8004_5430
      let host = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var locked: Int32 = 0
      var number: Int32 = 0
      guard host >= 0, ioctl(host, setLock, &locked) == 0, ioctl(host, getNumber, &number) == 0
      else { return nil }
      return (host, "/dev/pts/\(number)")
    }
  #endif

  deinit {
    _ = close(user)
    _ = close(host)
  }

  var localFlags: tcflag_t {
    var settings = termios()
    _ = tcgetattr(user, &settings)
    return settings.c_lflag
  }

  func resize(columns: UInt16, rows: UInt16) {
    var window = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(host, UInt(TIOCSWINSZ), &window)
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(host, bytes, bytes.count)
  }

  /// Waits for the program's output, up to and including `ending`.
  func written(through ending: String) -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while !bytes.suffix(ending.utf8.count).elementsEqual(ending.utf8), read(host, &byte, 1) == 1 {
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
