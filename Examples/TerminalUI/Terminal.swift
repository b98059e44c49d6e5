import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The terminal of a full-screen program.
///
/// It is restored when the program ends, even by a trap or a signal such as SIGTERM.
///
/// ```swift
/// try await Terminal.run { terminal in
///   for await key in terminal.keys where key == .escape { break }
/// }
/// ```
///
/// Keys are read without echo, and Ctrl-C is a key like any other. The user's screen is restored
/// when `run` returns or throws, on `exit`, on a trap, and on signals such as SIGTERM and SIGHUP, but not on SIGKILL.
package final class Terminal: Sendable {
  private let input: Int32
  private let output: Int32
  private let ownsInput: Bool
  /// The settings of the terminal before and during the program.
  private let settings: (before: termios, raw: termios)
  private let writer: Mutex<FrameWriter>

  /// The reason why a terminal cannot be opened.
  package enum Failure: Error, Hashable {
    case notATerminal
    /// Another `Terminal` of this process is open.
    case taken
  }

  private static let welcome = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  private static let farewell = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Opens the terminal of `output`.
  ///
  /// Keys come from `input`, or from the controlling terminal if `input` is a file or a pipe.
  init(input: Int32, output: Int32) throws(Failure) {
    guard Terminal.isTerminal(output) else { throw .notATerminal }
    let controlling = Terminal.isTerminal(input) ? nil : open("/dev/tty", O_RDWR | O_CLOEXEC)
    var settings = termios()
    guard tcgetattr(controlling ?? input, &settings) == 0 else { throw .notATerminal }
    guard Rescue.arm(output, settings: settings, farewell: Array(Terminal.farewell.utf8))
    else { throw .taken }
    self.input = controlling ?? input
    self.output = output
    ownsInput = controlling != nil
    writer = Mutex(FrameWriter(colors: Terminal.usesColors))
    let before = settings
    cfmakeraw(&settings)
    self.settings = (before, settings)
    _ = tcsetattr(self.input, TCSANOW, &settings)
    write(Terminal.welcome)
  }

  deinit {
    Rescue.restore()
    if ownsInput { _ = close(input) }
  }

  /// Runs `body` with the terminal, and restores the terminal even if `body` throws.
  @discardableResult
  package static func run<Result>(
    isolation: isolated (any Actor)? = #isolation,
    input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO,
    _ body: (Terminal) async throws -> Result
  ) async throws -> Result {
    let terminal = try Terminal(input: input, output: output)
    defer { Rescue.restore() }
    return try await body(terminal)
  }

  /// Whether a descriptor is a terminal.
  package static func isTerminal(_ descriptor: Int32 = STDOUT_FILENO) -> Bool {
    isatty(descriptor) == 1
  }

  /// Whether the terminal does not support escape sequences, or `TERM` is not set.
  package static var isDumb: Bool {
    getenv("TERM").map { ["dumb", ""].contains(String(cString: $0)) } ?? true
  }

  /// Whether to use colors: `true` if `NO_COLOR` is empty or not set, and `TERM` is not `dumb`.
  package static var usesColors: Bool {
    wantsColors(
      noColor: getenv("NO_COLOR").map { String(cString: $0) },
      term: getenv("TERM").map { String(cString: $0) })
  }

  static func wantsColors(noColor: String?, term: String?) -> Bool {
    (noColor ?? "").isEmpty && term != "dumb"
  }

  /// The current size of the window.
  package var size: Size { Size(of: output) ?? .classic }

  /// The size of the window now and after each change.
  ///
  /// A slow consumer receives only the newest size.
  package var sizes: AsyncStream<Size> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Size.self, bufferingPolicy: .bufferingNewest(1))
    let changes = Signals.of(SIGWINCH, announcesReadiness: true)
    let output = output
    let relay = Task {
      for await _ in changes { continuation.yield(Size(of: output) ?? .classic) }
    }
    continuation.onTermination = { _ in relay.cancel() }
    return stream
  }

  /// Returns the keys from a descriptor without changing its settings.
  ///
  /// Because the settings stay the same, a terminal delivers the keys line by line. A program in the background gets no keys.
  package static func keys(from descriptor: Int32) -> AsyncStream<Key> {
    // Reading in the background would stop the program. If the signal is ignored, reading fails instead.
    _ = signal(SIGTTIN, SIG_IGN)
    return KeyReader.keys(from: descriptor)
  }

  /// The pressed keys, beginning with those that have not been read yet.
  ///
  /// Only one consumer at a time can read them.
  package var keys: AsyncStream<Key> { KeyReader.keys(from: input) }

  /// Shows a frame by writing only the differences from the previous frame.
  package func draw(_ frame: Frame) {
    writer.withLock { write($0.update(to: frame.portable)) }
  }

  /// Restores the terminal and stops the process, as Ctrl-Z does in other programs.
  ///
  /// `fg` continues the process.
  ///
  /// This method returns when the process continues, or immediately if there is no shell that can continue it.
  package func suspend() {
    writer.withLock { writer in
      write(Terminal.farewell)
      var (before, raw) = settings
      _ = tcsetattr(input, TCSADRAIN, &before)
      stopProcess()
      _ = tcsetattr(input, TCSADRAIN, &raw)
      write(Terminal.welcome)
      write(writer.redraw())
    }
  }

  /// Stops all threads before this call returns.
  private func stopProcess() {
    // The threads of the pool block signals. If this thread did not unblock the signal, the process would stop only later.
    var stop = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, SIGTSTP)
    var old = sigset_t()
    pthread_sigmask(SIG_UNBLOCK, &stop, &old)
    _ = raise(SIGTSTP)
    pthread_sigmask(SIG_SETMASK, &old, nil)
  }

  /// Writes text.
  ///
  /// A failure needs no handling, because the keys end when the terminal is closed.
  private func write(_ text: String) {
    try? Output.write(text, to: output)
  }
}
