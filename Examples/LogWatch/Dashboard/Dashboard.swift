import AsyncKnot
import TerminalUI

/// The node that shows the counts.
///
/// Pipes reduce lines, ticks, keys and window sizes into the node's state, and the node draws once for each burst of changes.
actor Dashboard: Knotable {
  struct State: KnotState {
    var title = ""
    var tally = Tally()
    var rate = Rate()
    var ranking = Ranking()
    var size = Size.classic
    var isLive = false
    /// Whether the view is paused; counting continues.
    var isPaused = false
    /// The number of ranked keys that are scrolled out of view.
    var scroll = 0
    /// The panel whose values are ranked.
    var panel = Panel.keys
    /// The filter that decides which lines count.
    var filter = LineFilter.none
    /// The text of the filter that the user is typing; `nil` if the user is not typing.
    var typed: String?
    /// The time range that the chart shows; `nil` for the whole log.
    var zoom: ClosedRange<Int>?
    /// Whether the dashboard shows the help instead of the lists.
    var showsHelp = false
    /// A message for the user, which is shown until the next key.
    var message = ""
    /// The number of times that reading has restarted.
    private(set) var generation = 0
    private var rankedPanel = Panel.keys

    static func defaultState() -> State { State() }

    mutating func absorb(_ digest: LineDigest) {
      tally.absorb(digest)
      if digest.isBacklog { rate.skip(lines: digest.lines) }
    }

    /// Updates the ranking of the keys.
    mutating func rank(_ top: Int) {
      if rankedPanel != panel { ranking = Ranking() }
      rankedPanel = panel
      ranking.update(to: tally[panel].top(top))
    }

    /// Removes all counts, so that the log can be counted again with a new filter.
    mutating func restart(_ filter: LineFilter) {
      self.filter = filter
      (tally, rate, ranking, scroll, zoom) = (Tally(), Rate(), Ranking(), 0, nil)
      generation += 1
    }

    /// Returns the state to show during a pause, with the counts from the start of the pause and the current view.
    func asLookedAt(in now: State, top: Int) -> State {
      var shown = self
      (shown.size, shown.scroll, shown.panel) = (now.size, now.scroll, now.panel)
      (shown.typed, shown.message) = (now.typed, now.message)
      (shown.zoom, shown.showsHelp) = (now.zoom, now.showsHelp)
      if shown.rankedPanel != shown.panel { shown.rank(top) }
      return shown
    }
  }

  let knot: Knot<State>
  private let terminal: Terminal?
  /// The shortest time between two frames.
  ///
  /// Without this limit, the dashboard would draw every millisecond while a log is read at full speed.
  private let pace = Duration.milliseconds(40)
  private var lastDrawn: ContinuousClock.Instant?
  /// The state at the start of the pause.
  private var frozen: State?
  private let top: Int

  init(_ state: State, terminal: Terminal? = nil, top: Int = 10) {
    knot = Knot(state)
    self.terminal = terminal
    self.top = top
  }

  /// Does nothing, because `layout()` draws one frame for each burst.
  func update(_ state: State) {}

  /// Draws a frame, unless the last frame is too recent.
  ///
  /// If it is too recent, the next tick draws a frame.
  func layout() {
    guard let terminal else { return }
    let now = ContinuousClock.now
    if let lastDrawn, lastDrawn.duration(to: now) < pace { return }
    lastDrawn = now
    let state = state
    let isSame = frozen?.generation == state.generation
    frozen = state.isPaused ? (isSame ? frozen : nil) ?? state : nil
    let shown = frozen?.asLookedAt(in: state, top: top) ?? state
    terminal.draw(DashboardView(shown).frame(size: state.size))
  }
}
