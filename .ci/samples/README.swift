// What the samples of the README take for granted.
import AsyncDiff
import AsyncDiffTesting
import AsyncKnot
import AsyncKnotTesting
import AsyncOptical
import Testing

actor Bank { func charge(_ name: String) {} }

struct FeedService: Sendable {
  func titles(about text: String) async throws -> [String] { [] }
}

struct TitleNode: CellNode { let text: String }
