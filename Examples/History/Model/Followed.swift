import AsyncOptical
import Foundation

/// The followed entries, which are saved for the next run.
///
/// Version 1 stored a bare array of numbers. Version 2 stores an object with the key `ids`.
struct Followed: Codable, Hashable, Sendable {
  var ids: Set<Int> = []

  static func archive(in file: URL) -> StateArchive<Followed> {
    StateArchive(
      storage: FileStorage(file: file), version: 2,
      encode: { Array(try JSONEncoder().encode($0)) },
      decode: { try JSONDecoder().decode(Followed.self, from: Data($0)) },
      migrate: { bytes, _ in
        Followed(ids: Set(try JSONDecoder().decode([Int].self, from: Data(bytes))))
      })
  }
}
