// The declarations that the samples of the README use without showing them.
import AsyncDiff
import AsyncDiffTesting
import AsyncKnot
import AsyncKnotTesting
import AsyncOptical
import Testing

struct FeedService: Sendable {
  func titles(about text: String) async throws -> [String] { [] }
}

struct TitleNode: CellNode { let text: String }
