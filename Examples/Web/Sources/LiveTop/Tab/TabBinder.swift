import AsyncKnot
import AsyncOptical
import ProcessBoard

/// Holds the options of one tab, which the tab's commands change.
actor TabBinder: ViewBindable {
  typealias Command = TabCommand

  enum Action: Sendable {
    case ranked(ViewOptions.Ranking)
    case filtered(String)
    case folded(user: String, Bool)
    /// Contains the board at the time of the pause, or `nil` to end the pause.
    case paused(at: Board?)
    case selected(ProcessID?)
    case restored(ViewOptions)
  }

  struct State: Sendable {
    var options = ViewOptions()
    var paused: Board?
    var selection: ProcessID?
  }

  let knot = Knot(State())
  private let sampler: Sampler

  init(sampler: Sampler) {
    self.sampler = sampler
  }

  func binding(command: TabCommand) async {
    switch command {
    case .rank(let ranking): accept(.ranked(ranking))
    case .filter(let text): accept(.filtered(text))
    case .fold(let user, let isFolded): accept(.folded(user: user, isFolded))
    case .pause(let isPaused): accept(.paused(at: isPaused ? sampler.state : nil))
    case .select(let process): accept(.selected(process))
    case .restore(let options): accept(.restored(options))
    }
  }

  func reduce(_ action: Action, into state: inout State) {
    switch action {
    case .ranked(let ranking): state.options.ranking = ranking
    case .filtered(let text): state.options.setFilter(text)
    case .folded(let user, true): state.options.fold(user)
    case .folded(let user, false): state.options.folded.remove(user)
    case .paused(let board): state.paused = board
    case .selected(let process): state.selection = process
    case .restored(let options): state.options = options.limited
    }
  }
}
