import AsyncKnotTesting
import AsyncOptical
import Foundation
import TestSupport
import Testing

// The list from the README.
private struct Server: Sendable {
  var find: @Sendable (String) async throws -> [String]
}

private actor Groceries: Opticle {
  struct State: Sendable, Equatable {
    var items: [String] = []
    var isLoading = false
    var message = ""
  }
  typealias Request = Work<Groceries>
  typealias Response = Change<State>
  let knot = Knot(State())
  let server: Server
  init(server: Server) { self.server = server }
}

extension Work<Groceries> {
  fileprivate static func find(_ text: String, _ policy: DispatchPolicy) -> Self {
    Work(policy) { list in
      await list.load(showing: { $0.isLoading = true }) {
        try await list.retry(.exponential(attempts: 3)) { try await list.server.find(text) }
      } mutate: {
        ($0.items, $0.message) = ($1, "")
      } recover: {
        $0.message = "not found: \($1)"
      }
    }
  }
}

/// Tests the README's list, and the report that the README shows for the list without its policy.
@Suite struct ReadmeTests {
  private static func newestQueryIsShown(
    _ policy: DispatchPolicy
  ) -> @Sendable () async throws -> Void {
    {
      let server = Server { text in
        await Task.yield()
        return [text]
      }
      let list = Groceries(server: server)
      list.send(.find("t", policy))
      list.send(.find("tea", policy))
      await untilIdle()
      #expect(list.state.items == ["tea"])
    }
  }

  @Test("O4: the README's list shows the newest query")
  func newestQuery() async { await explore(Self.newestQueryIsShown(.latest("find"))) }

  // Debug builds on Linux only: a release build inlines more, and on other platforms the kit does not control the runtime.
  #if os(Linux) && DEBUG
    @Test("X6: the lanes in the README match the report that explore prints")
    func lanes() async throws {
      let issues = await recordedIssues { await explore(Self.newestQueryIsShown(.concurrent)) }
      let report = issues.flatMap(\.comments).map(\.rawValue).joined(separator: "\n")
      // The README has different file names and line numbers, and a different width for task names.
      func plain(_ text: some StringProtocol) -> String {
        String(text).replacing(/\ \(\w+\.swift:\d+\)/, with: "")
          .replacing(/at \w+\.swift:\d+/, with: "at a line").replacing(/\ +/, with: " ")
      }
      let start = try #require(report.range(of: "    1 scenario"))
      let end = try #require(report.range(of: "\n\nEXPLORE_REPLAY"))
      let printed = plain(report[start.lowerBound..<end.lowerBound])
      let readme = URL(fileURLWithPath: #filePath).appending(path: "../../../README.md")
      let text = try String(contentsOf: readme.standardized, encoding: .utf8)
      let isInReadme = plain(text).contains(printed)
      #expect(isInReadme, "printed:\n\(report)")
    }
  #endif
}
