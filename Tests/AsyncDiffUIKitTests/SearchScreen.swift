#if APPLE_STUBS
  // The code of the article *A search screen*. `SearchScreenTests` checks that the article has the same code.
  import AsyncDiff
  import AsyncDiffUIKit
  import AsyncKnot
  import UIKit

  final class Pictures: Sendable {
    func load(_ ids: [Int]) {}
  }

  struct Track: Diffable, Identifiable, Equatable {
    let id: Int
    var title: String
    var album: String
    var place: Double
  }

  typealias Album = LiveSection<String, Track, String>

  actor Library: StateActor {
    let knot = Knot(LiveTable<Track>())

    func remove(_ track: Track) { reduce { $0.remove(id: track.id) } }

    func take(_ drag: ReorderTransaction<Album>) {
      let album = drag.after.sections[drag.move.to.section]
      let rank = drag.move.to.item
      let above = rank > 0 ? album.rows[rank - 1].id : nil
      reduce { tracks in
        let places = tracks.filter { $0.album == album.diffIdentifier && $0.id != drag.item.id }
          .map(\.place).sorted()
        let before = above.flatMap { tracks[$0]?.place }
        let behind = places.first { place in before.map { $0 < place } ?? true }
        tracks.update(id: drag.item.id) {
          $0.album = album.diffIdentifier
          $0.place = ((before ?? (behind ?? 0) - 2) + (behind ?? (before ?? -2) + 2)) / 2
        }
      }
    }
  }

  @MainActor final class SearchScreen {
    private let bag = TaskBag()
    let list: CollectionViewList<Album>
    private let live: LiveList<Track, Album>
    private let query = LiveQuery(of: Track.self).sorted(by: \.place)
      .sections(by: \.album) { name, tracks in "\(name): \(tracks.count)" }

    init(_ view: UICollectionView, library: Library, pictures: Pictures) {
      live = LiveList(query.window(0..<100), of: library)
      list = CollectionViewList(view) { (cell: UICollectionViewListCell, track) in
        cell.show(track.title)
        cell.accessories = [.reorder(displayed: .always)]
      }
      list.showHeaders { (header: UICollectionViewListCell, title) in header.show(title) }
      list.canMove = { _ in true }
      list.onPrefetch = { tracks in pictures.load(tracks.map(\.id)) }
      var layout = UICollectionLayoutListConfiguration(appearance: .plain)
      layout.headerMode = .supplementary
      layout.trailingSwipeActionsConfigurationProvider = { [list] path in
        guard let track = list.item(at: ItemPath(path)) else { return nil }
        let delete = UIContextualAction(style: .destructive, title: "Delete") { _, _, done in
          Task { await library.remove(track) }
          done(true)
        }
        return UISwipeActionsConfiguration(actions: [delete])
      }
      view.collectionViewLayout = UICollectionViewCompositionalLayout.list(using: layout)
      live.states.pipe(to: list.source, in: bag)
      let drags = list.source.reorders
      bag.add { for await drag in drags { await library.take(drag) } }
      search("")
    }

    func search(_ text: String) {
      list.show(text.isEmpty ? query : query.filter { $0.title.contains(text) }, of: live)
    }
  }

  extension UICollectionViewListCell {
    func show(_ text: String) {
      var content = defaultContentConfiguration()
      content.text = text
      contentConfiguration = content
    }
  }
#endif
