import AsyncKnot
import TerminalUI

extension Watch {
  /// Pipes time, the window and the keys into the dashboard.
  ///
  /// - Parameters:
  ///   - terminal: Where the dashboard is drawn.
  ///   - top: How many of the busiest keys are ranked.
  /// - Returns: An element when the user wants to end.
  func connect(_ terminal: Terminal, top: Int) -> AsyncStream<Void> {
    let (quits, continuation) = AsyncStream.makeStream(of: Void.self)
    let presses = EventChannel<Key>()

    terminal.sizes.pipe(to: dashboard, in: bag) { size, state in state.size = size }

    AsyncInterval(every: .milliseconds(1000 / Rate.ticksPerSecond), after: .zero)
      .pipe(to: dashboard, in: bag) { tick, state in
        state.rate.tick(lines: state.tally.lines)
        if tick % Rate.ticksPerSecond == 0 { state.ranking.update(to: state.tally.keys.top(top)) }
      }

    presses.subscribe()
      .filter(with: dashboard) { key, state in
        key == .down && state.scroll + 1 < state.ranking.rows.count
          || key == .up && state.scroll > 0
      }
      .pipe(to: dashboard, in: bag) { key, state in state.scroll += key == .down ? 1 : -1 }

    presses.subscribe()
      .filter { $0 == .character(" ") }
      .pipe(to: dashboard, in: bag) { _, state in state.isPaused.toggle() }

    let decisions = presses.subscribe().withState(from: dashboard)
    bag.add { [dashboard] in
      for await (key, state) in decisions {
        switch key {
        case .escape where state.isPaused: await dashboard.reduce { $0.isPaused = false }
        case .escape, .character("q"), .control("c"): continuation.yield()
        default: break
        }
      }
    }
    bag.add {
      for await key in terminal.keys { presses.send(key) }
      // The terminal has gone.
      continuation.yield()
    }
    return quits
  }
}
