#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Finds the names of users by their numbers, and looks up each name only once.
struct UserNames: Sendable {
  private var names: [UInt32: String] = [:]

  mutating func name(of user: UInt32) -> String {
    if let name = names[user] { return name }
    let name = Self.lookUp(user) ?? "\(user)"
    names[user] = name
    return name
  }

  private static func lookUp(_ user: UInt32) -> String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
      guard
        let bytes = buffer.baseAddress,
        getpwuid_r(user, &entry, bytes, buffer.count, &found) == 0,
        let name = found?.pointee.pw_name
      else { return nil }
      return PlainText.of(UnsafeRawBufferPointer(start: name, count: strlen(name)), limit: 64)
    }
  }
}
