import AsyncKnot
import TerminalUI

extension Watch {
  /// Pipes ticks, window sizes and keys into the dashboard.
  ///
  /// - Parameters:
  ///   - terminal: The terminal that shows the dashboard.
  ///   - top: The number of ranked keys.
  /// - Returns: A sequence that delivers an element when the user quits.
  func connect(_ terminal: Terminal, top: Int) -> AsyncStream<Void> {
    let (quits, continuation) = AsyncStream.makeStream(of: Void.self)
    terminal.sizes.pipe(to: dashboard, in: bag) { size, state in state.size = size }

    AsyncInterval(every: .milliseconds(1000 / Rate.ticksPerSecond), after: .zero)
      .pipe(to: dashboard, in: bag) { tick, state in
        state.rate.tick(lines: state.tally.lines)
        if tick % Rate.ticksPerSecond == 0 { state.rank(top) }
      }

    bag.add { [self] in
      for await key in terminal.keys {
        let request = await dashboard.reduce { state in
          let panel = state.panel
          let request = state.press(key)
          if state.panel != panel { state.rank(top) }
          return request
        }
        switch request {
        case .quit: continuation.yield()
        case .suspend: terminal.suspend()
        case .filter(let filter): restart(filter)
        case nil: break
        }
      }
      // The terminal was closed.
      continuation.yield()
    }
    return quits
  }
}
