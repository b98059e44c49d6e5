/// The files of a program's page, which are compiled in, and those that all pages share.
public struct Page: Sendable {
  private let files: [String: Reply]

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - html: The file at `/`.
  ///   - css: The styles at `/page.css`; they come after the shared ones.
  ///   - script: The script at `/page.js`; it comes after the shared one.
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

  /// The file at a path of the request, or `nil`.
  public subscript(path: String) -> Reply? { files[path] }
}
