import Foundation

/// A history in a local folder.
///
/// Edits are not stored in the folder.
struct FolderService: HistoryService {
  let folder: URL

  func page(named name: String) async throws -> Page {
    guard let data = FileManager.default.contents(atPath: folder.appending(path: name).path) else {
      throw ServiceFailure("There is no \(name) in \(folder.path).")
    }
    return try PageFile.decode(data, name: name)
  }

  func save(_ entry: Entry) async throws {}

  /// The history that comes with the program.
  static let shipped = FolderService(
    folder: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Samples"))
}

/// Decodes a page from JSON.
enum PageFile {
  static func decode(_ data: Data, name: String) throws -> Page {
    do {
      return try JSONDecoder().decode(Page.self, from: data)
    } catch {
      throw ServiceFailure("\(name) is not a valid history page.")
    }
  }
}
