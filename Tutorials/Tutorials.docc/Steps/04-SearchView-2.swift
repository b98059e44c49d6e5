#if canImport(SwiftUI)
  import AsyncOptical
  import SwiftUI

  struct SearchView: View {
    let search: Search
    @SwiftUI.State private var shown: Observed<Search.State>
    @SwiftUI.State private var text = ""

    init(search: Search) {
      self.search = search
      _shown = SwiftUI.State(initialValue: Observed(search))
    }

    var body: some View {
      VStack {
        TextField("Search", text: $text)
          .onChange(of: text) { search.send(.edit(text)) }
        Text(shown.message)
        List {
          ForEach(shown.titles, id: \.self) { title in Text(title) }
        }
      }
    }
  }
#endif
