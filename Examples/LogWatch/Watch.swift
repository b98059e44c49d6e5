import AsyncKnot
import TerminalUI

/// Reads logs into a dashboard.
///
/// Each log has its own pipe, and all pipes reduce into the same state.
struct Watch {
  /// An event that is not a change of the dashboard's state.
  enum Event: Sendable {
    /// A log was read to its end, or cannot be read.
    ///
    /// Standard input has no generation, because it can be read only once. If the filter changes, the counts include only later
    /// lines of standard input.
    case ended(SourceError?, generation: Int?)
    /// The filter has changed.
    case restart(LineFilter)
    case quit
  }

  let dashboard: Dashboard
  let parser: LogParser
  let bag = TaskBag()
  /// The tasks that read the logs, until reading restarts.
  private let readers = TaskBag()
  private let events = EventChannel<Event>()
  /// A channel whose events make the readers check followed logs.
  ///
  /// When the channel finishes, the readers read the logs to their ends.
  private let looks = EventChannel<Void>()

  /// Reads the logs until every log has ended or the user quits.
  ///
  /// - Parameters:
  ///   - paths: The logs.
  ///   - follows: Whether to wait for more lines at the ends of the logs.
  ///   - interrupts: A sequence whose first element ends reading.
  /// - Returns: The errors of logs that could not be read.
  func run(
    _ paths: [String], follows: Bool, until interrupts: some AsyncSequence<Void, Never> & Sendable
  ) async -> [SourceError] {
    let happenings = events.subscribe()
    let files = paths.filter { $0 != "-" }
    start(files, follows, dashboard.state)
    var isInputOpen = files.count < paths.count
    if isInputOpen { startInput() }
    bag.add { [events] in
      for await _ in interrupts { events.send(.quit) }
    }
    bag.add { [looks] in
      for await _ in AsyncInterval(every: .milliseconds(200)) { looks.send() }
    }
    defer {
      bag.cancel()
      readers.cancel()
    }
    var errors: [SourceError] = []
    var left = files.count + (isInputOpen ? 1 : 0)
    for await event in happenings {
      switch event {
      case .quit:
        // Wait for the readers only if all logs are followed files. Standard input may never end.
        if follows && !paths.contains("-") {
          looks.finish()
          await readers.wait()
        }
        return errors
      case .restart(let filter):
        readers.cancel()
        let state = await dashboard.reduce { state in
          state.restart(filter)
          return state
        }
        errors = []
        left = files.count + (isInputOpen ? 1 : 0)
        start(files, follows, state)
      case .ended(_, let generation?) where generation != dashboard.state.generation: break
      case .ended(let error, let generation):
        if generation == nil { isInputOpen = false }
        left -= 1
        if let error { errors.append(error) }
        if left == 0 { return errors }
      }
    }
    return errors
  }

  /// Reads the logs again from the beginning, with a new filter.
  func restart(_ filter: LineFilter) { events.send(.restart(filter)) }

  private func start(_ paths: [String], _ follows: Bool, _ state: Dashboard.State) {
    for path in paths {
      let file = LogFile(path: path, follows: follows)
      if follows {
        start(file.batches(waking: looks.subscribe()), state)
      } else {
        start(file.batches(), state)
      }
    }
  }

  private func start<Wakeups>(_ batches: LineBatches<Wakeups>, _ state: Dashboard.State) {
    let (filter, generation) = (state.filter, state.generation)
    readers.add { [parser, dashboard, events] in
      do throws(SourceError) {
        try await batches
          .map { LineDigest(of: $0, parser: parser, filter: filter) }
          .pipe(to: dashboard) { digest, state in
            if state.generation == generation { state.absorb(digest) }
          }
        events.send(.ended(nil, generation: generation))
      } catch {
        events.send(.ended(error, generation: generation))
      }
    }
  }

  private func startInput() {
    bag.add { [parser, dashboard, events] in
      do throws(SourceError) {
        try await LogFile(path: "-", follows: false).batches()
          .map { LineDigest(of: $0, parser: parser, filter: dashboard.state.filter) }
          .pipe(to: dashboard) { digest, state in state.absorb(digest) }
        events.send(.ended(nil, generation: nil))
      } catch {
        events.send(.ended(error, generation: nil))
      }
    }
  }
}
