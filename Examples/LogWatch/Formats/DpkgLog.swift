/// The log of Debian's package manager.
enum DpkgLog {
  private static let actions: KeyValuePairs<String, Category> = [
    "status": .status, "install": .install, "upgrade": .upgrade, "configure": .configure,
    "trigproc": .trigger, "remove": .remove, "purge": .remove, "disappear": .remove,
    "startup": .startup, "conffile": .conffile,
  ]

  /// `2025-06-24 14:36:25 action …`; the key is the package, or what else the action is about.
  static func parse(_ bytes: ArraySlice<UInt8>) -> LogEntry? {
    var scanner = FieldScanner(bytes)
    guard let time = LogTime.iso(&scanner, separator: 0x20), let name = scanner.word(),
      let action = actions.first(where: { name.elementsEqual($0.key.utf8) })
    else { return nil }
    // A status line names the state before the package.
    if action.value == .status { _ = scanner.word() }
    let package = scanner.word() ?? name
    return LogEntry(
      .dpkg, action.value, key: package.prefix { $0 != UInt8(ascii: ":") }, time: time)
  }
}
