import AsyncOptical
import Foundation

/// Stores a state in a file.
///
/// The file is written atomically, and is renamed if its content is damaged.
struct FileStorage: StateStorage {
  let file: URL

  func read() throws -> [UInt8]? {
    do {
      return Array(try Data(contentsOf: file))
    } catch CocoaError.fileReadNoSuchFile {
      return nil
    }
  }

  func write(_ bytes: [UInt8]) throws {
    try Data(bytes).write(to: file, options: .atomic)
  }

  func setAside() throws -> String {
    var number = 1
    var place: URL { file.appendingPathExtension("damaged-\(number)") }
    while FileManager.default.fileExists(atPath: place.path) { number += 1 }
    try FileManager.default.moveItem(at: file, to: place)
    return place.lastPathComponent
  }
}
