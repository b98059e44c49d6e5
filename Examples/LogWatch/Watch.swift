import AsyncKnot
import TerminalUI

/// Reads the logs into a dashboard: one pipe for each, all reducing the same state.
struct Watch {
  /// What happens outside the dashboard's state.
  enum Event: Sendable {
    /// A log was read to its end, or cannot be read.
    case ended(SourceError?)
    case quit
  }

  let dashboard: Dashboard
  let parser: LogParser
  let bag = TaskBag()
  private let events = EventChannel<Event>()

  /// Starts to read, and returns when every log has ended or the user has.
  ///
  /// - Parameters:
  ///   - paths: The logs.
  ///   - follows: Whether to go on at their ends.
  ///   - interrupts: What ends the watch from outside.
  /// - Returns: Why logs could not be read.
  func run(
    _ paths: [String], follows: Bool, until interrupts: some AsyncSequence<Void, Never> & Sendable
  ) async -> [SourceError] {
    let happenings = events.subscribe()
    for path in paths {
      let file = LogFile(path: path, follows: follows)
      if follows && path != "-" {
        start(file.batches(waking: AsyncInterval(every: .milliseconds(200))))
      } else {
        start(file.batches())
      }
    }
    bag.add { [events] in
      for await _ in interrupts { events.send(.quit) }
    }
    defer { bag.cancel() }
    var errors: [SourceError] = []
    var left = paths.count
    for await event in happenings {
      switch event {
      case .quit:
        // Only followed logs can be waited for: standard input may be silent for ever.
        if follows && !paths.contains("-") { await bag.cancelAndWait() }
        return errors
      case .ended(let error):
        left -= 1
        if let error { errors.append(error) }
        if left == 0 { return errors }
      }
    }
    return errors
  }

  private func start<Wakeups>(_ batches: LineBatches<Wakeups>) {
    bag.add { [parser, dashboard, events] in
      do throws(SourceError) {
        try await batches
          .map { LineDigest(of: $0, parser: parser) }
          .pipe(to: dashboard) { digest, state in state.absorb(digest) }
        events.send(.ended(nil))
      } catch {
        events.send(.ended(error))
      }
    }
  }
}
