import AsyncKnot
import TerminalUI

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A dashboard for log files.
@main
struct LogWatch {
  static func main() async {
    Output.reportBrokenPipes()
    exit(await run(CommandLine.arguments.dropFirst()))
  }

  /// Runs a command line and returns the exit code.
  private static func run(_ arguments: ArraySlice<String>) async -> Int32 {
    do {
      let options = try Options(arguments)
      if options.wantsHelp {
        try Output.write(Options.usage)
        return EX_OK
      }
      return try await watch(options)
    } catch let misuse as Options.Misuse {
      complain("\(misuse.message)\n\(Options.usage)")
      return EX_USAGE
    } catch let failure as Output.Failure {
      return failure.isBrokenPipe ? EX_OK : EX_IOERR
    } catch {
      complain("\(error)\n")
      return EX_SOFTWARE
    }
  }

  private static func watch(_ options: Options) async throws -> Int32 {
    if options.files.contains("-") && Terminal.isTerminal(STDIN_FILENO) {
      throw Options.Misuse(
        message: "-: needs a log on standard input; got a terminal, so pipe a log in")
    }
    let errors: [SourceError]
    let state: Dashboard.State
    if Terminal.isTerminal() && !Terminal.isDumb && !options.writesJSON && isWorthWatching(options)
    {
      (errors, state) = try await live(options)
    } else {
      (errors, state) = await quiet(options)
    }
    for error in errors { complain("\(error)\n") }
    if errors.count < options.files.count { try report(state, options) }
    return errors.isEmpty ? EX_OK : EX_NOINPUT
  }

  private static func live(_ options: Options) async throws -> ([SourceError], Dashboard.State) {
    try await Terminal.run { terminal in
      var state = initialState(options)
      state.isLive = true
      state.size = terminal.size
      let top = max(options.top, 200)
      let dashboard = Dashboard(state, terminal: terminal, top: top)
      let watch = Watch(dashboard: dashboard, parser: parser)
      await watch.dashboard.render()
      let quits = watch.connect(terminal, top: top)
      let errors = await watch.run(options.files, follows: options.follows, until: quits)
      return (errors, watch.dashboard.state)
    }
  }

  /// Reads the logs without drawing a dashboard.
  ///
  /// If the logs are followed, reading continues until a signal arrives or the user types `q`. Meanwhile, new counts are printed,
  /// unless the output is JSON.
  private static func quiet(_ options: Options) async -> ([SourceError], Dashboard.State) {
    let watch = Watch(dashboard: Dashboard(initialState(options)), parser: parser)
    for path in options.files where options.follows && access(path, F_OK) != 0 && path != "-" {
      complain("\(path): the file does not exist yet\n")
    }
    let (quits, continuation) = AsyncStream.makeStream(of: Void.self)
    let side = TaskBag()
    if options.follows {
      let signals = Signals.of(SIGINT, SIGTERM)
      side.add { for await _ in signals { continuation.yield() } }
      if Terminal.isTerminal(STDIN_FILENO) {
        complain("following; press q and Enter, or Ctrl-C, to stop\n")
        let keys = Terminal.keys(from: STDIN_FILENO)
        side.add { for await key in keys where key == .character("q") { continuation.yield() } }
      }
      if !options.writesJSON { side.add { await watch.tell(every: .seconds(1)) } }
    }
    let errors = await watch.run(options.files, follows: options.follows, until: quits)
    await side.cancelAndWait()
    return (errors, watch.dashboard.state)
  }

  private static func report(_ state: Dashboard.State, _ options: Options) throws {
    if options.writesJSON {
      return try Output.write(JSONReport(tally: state.tally, top: options.top).text)
    }
    let columns = Size(of: STDOUT_FILENO)?.columns ?? Size.classic.columns
    let frame = DashboardView(state).summary(columns: columns, top: options.top, recent: 5)
    guard Terminal.isTerminal(), !Terminal.isDumb else {
      return try Output.write(frame.portable.plainText)
    }
    try Output.write(frame.portable.styledText(colors: Terminal.usesColors))
  }

  private static func initialState(_ options: Options) -> Dashboard.State {
    var state = Dashboard.State()
    state.title = options.files.map { $0 == "-" ? "standard input" : $0 }.joined(separator: ", ")
    state.filter = options.filter
    return state
  }

  private static var parser: LogParser {
    LogParser(year: Int(LogTime.text(time(nil)).date.prefix(4)) ?? 1970)
  }

  /// Whether reading takes long enough for a live dashboard.
  ///
  /// A file of up to 16 MiB is read too quickly.
  private static func isWorthWatching(_ options: Options) -> Bool {
    if options.follows { return true }
    let sizes = options.files.map { path -> Int in
      var status = stat()
      guard path != "-" else { return .max }
      return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
    return sizes.contains { $0 > 1 << 24 }
  }

  private static func complain(_ text: String) {
    try? Output.write("LogWatch: \(text)", to: STDERR_FILENO)
  }
}
