import AsyncDiff
import AsyncOptical
import Foundation
import ProcessBoard
import WebServer

/// The routes of the server: the page, which is compiled into the program, and the messages between a page and its tab.
struct Routes: Sendable {
  private static let page = Page(
    html: PackageResources.index_html, css: PackageResources.page_css,
    script: PackageResources.page_js, icon: PackageResources.icon_svg)

  let tabs: Tabs
  let sampler: Sampler

  func answer(_ request: Request) -> Reply {
    if request.method == .head {
      // A GET of this path opens a tab, and its response never ends.
      if request.path == "/events" {
        return .text("use GET", status: 405, headers: ["Allow": "GET"])
      }
      var request = request
      request.method = .get
      return answer(request)
    }
    if request.method == .get, let file = Self.page[request.path] { return file }
    return switch (request.method, request.path) {
    case (.get, "/status"): status()
    case (.get, "/events"): events(request)
    case (.get, "/snapshot"): withTab(request) { .json($0.rows.snapshot) }
    case (.post, "/drawn"): withTab(request) { drawn(request, by: $0) }
    case (.post, "/command"): withTab(request) { command(request, to: $0) }
    default: .text("not found", status: 404)
    }
  }

  private func status() -> Reply {
    struct Status: Encodable {
      var tabs: Int
      var connected: Int
      var limit: Int
      var reading: Int
    }
    let counts = tabs.counts
    return .json(
      Status(
        tabs: counts.all, connected: counts.connected, limit: tabs.limit,
        reading: sampler.state.number))
  }

  /// Returns the random name that the page has sent as `tab`, or `nil` if it is not 32 hexadecimal digits.
  private func name(in request: Request) -> String? {
    request.query["tab"].flatMap { name in
      name.utf8.count == 32 && name.allSatisfy { $0.isASCII && $0.isHexDigit } ? name : nil
    }
  }

  private func events(_ request: Request) -> Reply {
    guard let name = name(in: request) else {
      return .text("tab: needs 32 hexadecimal digits", status: 400)
    }
    guard let tab = tabs.open(name) else {
      return .text("too many tabs", status: 503, headers: ["Retry-After": "5"])
    }
    let last = request.headers["last-event-id"] ?? request.query["since"]
    return .events(tab.connect(since: last.flatMap { SnapshotRevision($0) }))
  }

  private func drawn(_ request: Request, by tab: Tab) -> Reply {
    guard let revision = SnapshotRevision(String(decoding: request.body, as: UTF8.self)) else {
      return .text("body: needs a revision, such as 7-3", status: 400)
    }
    tab.didDraw(revision)
    return .done
  }

  private func command(_ request: Request, to tab: Tab) -> Reply {
    do {
      tab.binder.send(try JSONDecoder().decode(TabCommand.self, from: Data(request.body)))
      return .done
    } catch {
      return .text("body: needs a command; \(error)", status: 400)
    }
  }

  private func withTab(_ request: Request, _ answer: (Tab) -> Reply) -> Reply {
    guard let tab = name(in: request).flatMap({ tabs[$0] }) else {
      return .text("no such tab", status: 404)
    }
    return answer(tab)
  }
}
