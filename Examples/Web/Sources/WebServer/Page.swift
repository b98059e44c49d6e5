/// The files of a program's page and the files that all pages share, which are compiled into the program.
public struct Page: Sendable {
  private let files: [String: Reply]

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - html: The file at `/`.
  ///   - css: The styles at `/page.css`, which come after the shared styles.
  ///   - script: The script at `/page.js`, which comes after the shared script.
  ///   - icon: The picture at `/icon.svg`.
  public init(html: [UInt8], css: [UInt8], script: [UInt8], icon: [UInt8]) {
    files = [
      "/": .content(html, type: "text/html; charset=utf-8"),
      "/page.css": .content(PackageResources.shared_css + css, type: "text/css; charset=utf-8"),
      "/page.js": .content(
        PackageResources.shared_js + script, type: "text/javascript; charset=utf-8"),
      "/icon.svg": .content(icon, type: "image/svg+xml"),
    ]
  }

  /// The file at a request's path, or `nil`.
  public subscript(path: String) -> Reply? { files[path] }
}
