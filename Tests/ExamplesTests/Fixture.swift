import Foundation

/// Returns the parts of a file in the folder `Fixtures`, without the final line ending.
func fixture(_ name: String, separator: String = "\n") -> [String] {
  let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "Fixtures/\(name)")
  let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  precondition(!text.isEmpty, "fixture(_:): needs a file with text; got \(file.path())")
  return text.trimmingCharacters(in: .newlines).components(separatedBy: separator)
}
