import AsyncKnot

@main struct SearchScreen {
  static func main() async {
    let search = Search(catalogue: .languages)
    let bag = TaskBag()
    search.states.live(in: bag) { state in
      print("\u{1B}[2J\u{1B}[H\(state.screen)\n")
    }
    for key in "sw" { await search.type(key) }
    try? await Task.sleep(for: .milliseconds(100))  // draws the last state
  }
}
