// The declarations that the samples of AsyncDiffTesting's articles and documentation comments use without showing them.
import AsyncDiff
import AsyncDiffTesting
import Testing

struct Article: Nodable {
  let diffIdentifier: Int
  func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock { { Node() } }
  struct Node: CellNode {}
}

struct HomeSection: SectionInflator {
  let diffIdentifier: Int
  let items: [Article]
}

let (morning, evening) = (DiffableSnapshot<HomeSection>(), DiffableSnapshot<HomeSection>())
let (old, new) = (morning, evening)
