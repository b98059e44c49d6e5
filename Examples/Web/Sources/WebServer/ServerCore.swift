internal import CMicroHTTPD

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The context of the library's callbacks, with the rules and the handler.
final class ServerCore: Sendable {
  let answer: @Sendable (Request) -> Reply
  let hosts: HostGuard
  let limits: Limits
  let arrivals = Arrivals()

  init(hosts: HostGuard, limits: Limits, answer: @escaping @Sendable (Request) -> Reply) {
    self.hosts = hosts
    self.limits = limits
    self.answer = answer
  }

  /// Handles the head of a request.
  ///
  /// Returns the exchange, and a reply if the request is refused.
  func begin(_ connection: OpaquePointer, method: String, path: String) -> (Exchange?, Reply?) {
    guard
      let exchange = unsafe Exchange(
        connection, method: method, path: path, limit: limits.body)
    else {
      return (
        nil, .text("use GET, HEAD or POST", status: 405, headers: ["Allow": "GET, HEAD, POST"])
      )
    }
    if let name = exchange.repeated {
      return (exchange, .text("the request has more than one \(name) header", status: 400))
    }
    if let refusal = hosts.refusal(of: exchange.request.headers) {
      return (exchange, .text("refused: \(refusal)", status: 403))
    }
    guard exchange.announcesFittingBody else {
      return (exchange, .text("the body has more than \(limits.body) bytes", status: 413))
    }
    return (exchange, nil)
  }

  /// Queues a reply on a connection.
  func queue(_ reply: Reply, on connection: OpaquePointer) -> MHD_Result {
    switch reply {
    case .content(let content): unsafe queue(content, on: connection)
    case .events(let stream): unsafe queue(stream, on: connection)
    }
  }

  /// Ends connections whose request is overdue, or whose client has closed its side.
  ///
  /// The library uses edge-triggered events, and stops reading after a read that does not fill its buffer. If a part of a head
  /// and the end of the stream arrive together, the library misses the end.
  func endOverdue() {
    arrivals.endOverdue(after: limits.arrival, orWhere: Self.hasEnded) { socket in
      _ = shutdown(socket, Int32(SHUT_RDWR))
    }
  }

  private static func hasEnded(_ socket: Int32) -> Bool {
    var byte: UInt8 = 0
    return unsafe recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
  }

  private func queue(_ content: Reply.Content, on connection: OpaquePointer) -> MHD_Result {
    var body = content.body
    let count = body.count
    let response = unsafe body.withUnsafeMutableBytes { bytes in
      unsafe MHD_create_response_from_buffer(count, bytes.baseAddress, .RESPMEM_MUST_COPY)
    }
    guard let response = unsafe response else { return .NO }
    return unsafe send(
      response, status: content.status, type: content.type, headers: content.headers,
      on: connection)
  }

  /// A stream and its connection, which are the context of the two callbacks.
  @safe private final class Reader {
    let stream: EventStream
    let connection: OpaquePointer

    init(_ stream: EventStream, _ connection: OpaquePointer) {
      self.stream = stream
      unsafe self.connection = connection
    }
  }

  private func queue(_ stream: EventStream, on connection: OpaquePointer) -> MHD_Result {
    let reader = unsafe Unmanaged.passRetained(Reader(stream, connection))
    let response = unsafe MHD_create_response_from_callback(
      UInt64.max, 4_096,
      { context, _, bytes, room in
        guard let context = unsafe context else { return -1 }
        let reader = unsafe Unmanaged<Reader>.fromOpaque(context).takeUnretainedValue()
        return unsafe reader.stream.read(
          into: UnsafeMutableRawBufferPointer(start: bytes, count: room), for: reader.connection)
      }, reader.toOpaque(),
      { context in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<Reader>.fromOpaque(context).takeRetainedValue().stream.close()
      })
    guard let response = unsafe response else {
      unsafe reader.release()
      stream.close()
      return .NO
    }
    return unsafe send(
      response, status: 200, type: "text/event-stream",
      headers: stream.headers.merging(["X-Accel-Buffering": "no"]) { $1 }, on: connection)
  }

  private func send(
    _ response: OpaquePointer, status: Int, type: String, headers: [String: String],
    on connection: OpaquePointer
  ) -> MHD_Result {
    let all = Self.headers.merging(headers) { $1 }.merging(["Content-Type": type]) { $1 }
    for (name, value) in all { unsafe MHD_add_response_header(response, name, value) }
    defer { unsafe MHD_destroy_response(response) }
    return unsafe MHD_queue_response(connection, UInt32(status), response)
  }

  /// Headers that forbid caching, guessing content types, framing, and loading content from other sites.
  private static let headers = [
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
      + "connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
      + "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  ]
}
