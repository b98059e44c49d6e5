import AsyncKnot

@main struct SearchScreen {
  static func main() async {
    let search = Search(catalogue: .languages)
    for key in "sw" { await search.type(key) }
    print(search.state.screen)
  }
}
