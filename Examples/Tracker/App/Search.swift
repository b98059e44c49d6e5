import AsyncOptical

/// A search that finds expenses while the user types.
actor Search: Opticle {
  struct State: Sendable, Equatable {
    var query = "", found: Set<Int>?, message = ""
  }

  typealias Request = Work<Search>
  typealias Response = Change<State>

  let knot = Knot(State())
  fileprivate let find: @Sendable (String) async throws -> Set<Int>

  init(find: @escaping @Sendable (String) async throws -> Set<Int>) { self.find = find }
}

extension Work<Search> {
  static func type(_ text: String) -> Self {
    Work { search in
      search.commit { $0.query = text }
      search.send(.find(text))
    }
  }

  private static func find(_ text: String) -> Self {
    Work(.debounced("find", for: .milliseconds(300))) { search in
      await search.load {
        text.isEmpty ? nil : try await search.find(text)
      } mutate: {
        ($0.found, $0.message) = ($1, "")
      } recover: {
        $0.message = "not searched: \($1)"
      }
    }
  }
}
