import AsyncOptical
import Foundation

/// The followed entries, which survive a run.
///
/// Version 1 was a bare list of numbers; version 2 names it.
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
