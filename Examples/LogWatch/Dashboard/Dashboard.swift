import AsyncKnot
import TerminalUI

/// The node that shows what was counted: pipes reduce lines, ticks, keys and window sizes into its state,
/// and it draws once for each burst of them.
actor Dashboard: Knotable {
  struct State: KnotState {
    var title = ""
    var tally = Tally()
    var rate = Rate()
    var ranking = Ranking()
    var size = Size.classic
    var isLive = false
    /// Whether the picture stands still; counting goes on.
    var isPaused = false
    /// How many of the busiest keys are scrolled out of sight.
    var scroll = 0

    static func defaultState() -> State { State() }

    mutating func absorb(_ digest: LineDigest) {
      tally.absorb(digest)
      if digest.isBacklog { rate.skip(lines: digest.lines) }
    }
  }

  let knot: Knot<State>
  private let terminal: Terminal?
  /// A burst of a log read at full speed lasts a millisecond; eyes need no more than this.
  private let pace = Duration.milliseconds(40)
  private var lastDrawn: ContinuousClock.Instant?
  /// The window in which a pause is being shown.
  private var frozen: Size?

  init(_ state: State, terminal: Terminal? = nil) {
    knot = Knot(state)
    self.terminal = terminal
  }

  /// Nothing: a frame is drawn once a burst, by `layout()`.
  func update(_ state: State) {}

  /// Draws the newest state, unless the last frame is too young; then the next tick does.
  func layout() {
    guard let terminal else { return }
    let now = ContinuousClock.now
    if let lastDrawn, lastDrawn.duration(to: now) < pace { return }
    let state = state
    if state.isPaused, frozen == state.size { return }
    frozen = state.isPaused ? state.size : nil
    lastDrawn = now
    terminal.draw(DashboardView(state).frame(size: state.size))
  }
}
