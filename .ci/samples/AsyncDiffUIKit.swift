// The declarations that the samples of AsyncDiffUIKit's articles and documentation comments use without showing them.
import AsyncDiff
import AsyncDiffUIKit
import AsyncKnot
import UIKit

struct Article: Diffable, Equatable {
  let number: Int
  var title = ""
  var diffIdentifier: Int { number }
}

struct Day: SectionInflator {
  let diffIdentifier: String
  var items: [Article]
  var content: String { diffIdentifier }
}

actor Model: StateActor {
  struct State: Sendable { var sections: [Day] = [] }
  let knot = Knot(State())
  nonisolated func remove(_ article: Article) {}
}

let model = Model()
let bag = TaskBag()
let view = MainActor.assumeIsolated {
  UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewLayout())
}
let table = MainActor.assumeIsolated { UITableView(frame: .zero, style: .plain) }

final class Pictures: Sendable {
  func load(_ ids: [Int]) {}
}
