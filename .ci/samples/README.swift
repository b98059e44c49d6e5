// What the samples of the README take for granted.
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
