// The declarations that the samples of ExploreWorld's articles and documentation comments use without showing them.
import ExploreWorld
import Testing

protocol SavingStore: Sendable { func save(_ text: String, as key: String) async throws }

actor Server {
  init(_ files: FaultyDisk.Files) async throws {}
  func save(_ text: String, as key: String) async throws {}
}

struct Lease { let clock: any Clock<Duration> }

actor Store {
  init(_ files: FaultyDisk.Files) async throws {}
  func set(_ key: String, to value: String) async throws {}
  func value(of key: String) -> String? { nil }
}
