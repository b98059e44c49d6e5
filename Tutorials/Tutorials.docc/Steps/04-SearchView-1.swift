#if canImport(SwiftUI)
  import AsyncOptical
  import SwiftUI

  struct SearchView: View {
    let search: Search
    @SwiftUI.State private var shown: Observed<Search.State>

    init(search: Search) {
      self.search = search
      _shown = SwiftUI.State(initialValue: Observed(search))
    }

    var body: some View {
      List {
        ForEach(shown.titles, id: \.self) { title in Text(title) }
      }
    }
  }
#endif
