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
    /// What the busiest of are shown.
    var panel = Panel.keys
    /// Which lines count.
    var filter = LineFilter.none
    /// The filter that is being typed.
    var typed: String?
    /// The part of the log's time that the chart shows; `nil` for all of it.
    var zoom: ClosedRange<Int>?
    /// Whether the keys are explained in place of the lists.
    var showsHelp = false
    /// What the user should know, until the next key.
    var message = ""
    /// How often reading has begun anew.
    private(set) var generation = 0
    private var rankedPanel = Panel.keys

    static func defaultState() -> State { State() }

    mutating func absorb(_ digest: LineDigest) {
      tally.absorb(digest)
      if digest.isBacklog { rate.skip(lines: digest.lines) }
    }

    /// Looks at the order of the busiest again.
    mutating func rank(_ top: Int) {
      if rankedPanel != panel { ranking = Ranking() }
      rankedPanel = panel
      ranking.update(to: tally[panel].top(top))
    }

    /// Forgets what was counted, to count the lines of another filter.
    mutating func restart(_ filter: LineFilter) {
      self.filter = filter
      (tally, rate, ranking, scroll, zoom) = (Tally(), Rate(), Ranking(), 0, nil)
      generation += 1
    }

    /// What a pause shows: what was counted when it began, as it is looked at now.
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
  /// A burst of a log read at full speed lasts a millisecond; eyes need no more than this.
  private let pace = Duration.milliseconds(40)
  private var lastDrawn: ContinuousClock.Instant?
  /// What was there when a pause began.
  private var frozen: State?
  private let top: Int

  init(_ state: State, terminal: Terminal? = nil, top: Int = 10) {
    knot = Knot(state)
    self.terminal = terminal
    self.top = top
  }

  /// Nothing: a frame is drawn once a burst, by `layout()`.
  func update(_ state: State) {}

  /// Draws the newest state, unless the last frame is too young; then the next tick does.
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
