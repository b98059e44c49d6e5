import AsyncDiff
import WebServer

/// The routes of a gateway: the page, which is compiled into the program, and the lists.
struct Routes: Sendable {
  private static let page = Page(
    html: PackageResources.index_html, css: PackageResources.page_css,
    script: PackageResources.page_js, icon: PackageResources.icon_svg)

  let tabs: Tabs
  let gateway: Gateway

  func answer(_ request: Request) -> Reply {
    if request.path == "/events" {
      guard request.method != .head else {
        return .text("use GET or POST", status: 405, headers: ["Allow": "GET, POST"])
      }
      return events(request)
    }
    if request.method == .post {
      return .text("use GET", status: 405, headers: ["Allow": "GET, HEAD"])
    }
    if let file = Self.page[request.path] { return file }
    switch request.path {
    case "/status": return .json(Status(tabs: tabs.count, limit: tabs.limit, state: gateway.state))
    case "/lists": return .json(lists())
    default: return .text("not found", status: 404)
    }
  }

  private struct Status: Encodable {
    var tabs: Int
    var limit: Int
    var looks: Int
    /// The number of lists that the gateway has read.
    var lists: Int
    var machines: [FleetList.Machine]
    var trouble: String?

    init(tabs: Int, limit: Int, state: Gateway.State) {
      self.tabs = tabs
      self.limit = limit
      (looks, lists) = (state.looks, state.feeds.count { $0.name != FleetList.name })
      (machines, trouble) = (state.machines, state.trouble)
    }
  }

  /// Returns each list as a full snapshot, for clients that poll.
  private func lists() -> [String: SnapshotMessage<MachineList>] {
    gateway.state.lists.compactMapValues { relay in
      let mirror = relay.state
      return mirror.revision.map { .snapshot(mirror.snapshot, $0) }
    }
  }

  /// Responds with events.
  ///
  /// The request's body lists the revisions of the page, and is empty if the page has no lists.
  private func events(_ request: Request) -> Reply {
    guard let order = Known.Wish.Order(rawValue: request.query["order"] ?? "name") else {
      return .text("order: needs 'name' or 'load'", status: 400)
    }
    let first = request.query["first"]?.split(separator: ",").map { String($0) } ?? []
    let isPacked = request.headers["accept-encoding"]?.contains("gzip") ?? false
    let known = { @Sendable [body = request.body] in
      Known(
        LogName.revisions(String(decoding: body, as: UTF8.self)),
        wish: Known.Wish(first: first, order: order))
    }
    guard let stream = tabs.connect(since: known, isPacked: isPacked) else {
      return .text("too many tabs", status: 503, headers: ["Retry-After": "5"])
    }
    return .events(stream)
  }
}
