internal import CMicroHTTPD
import Synchronization

/// An HTTP server based on GNU libmicrohttpd, with one thread for all clients.
///
/// ```swift
/// let server = try WebServer(at: .loopback, port: 0, limits: Limits(pages: 100)) { request in
///   request.path == "/" ? .text("hello") : .text("not found", status: 404)
/// }
/// print(server.port)
/// server.stop()
/// ```
/// The closure runs on the server's thread, so it must not block.
public final class WebServer: Sendable {
  /// The error if the server cannot listen.
  public struct CannotListen: Error, CustomStringConvertible {
    /// The problem and its usual reasons.
    public var description: String {
      "cannot listen: the port is in use or not permitted, or the address is not local"
    }
  }

  /// The port on which the server listens.
  ///
  /// The system chooses the port if 0 was requested.
  public let port: UInt16
  private let core: ServerCore
  private let daemon: Mutex<UInt?>

  /// Creates a server, and starts to listen on an address and a port.
  public init(
    at address: Address, port: UInt16, limits: Limits,
    answer: @escaping @Sendable (Request) -> Reply
  ) throws(CannotListen) {
    let core = ServerCore(
      hosts: HostGuard(alsoCalled: address.text), limits: limits, answer: answer)
    let limits = livetop_limits(
      connections: UInt32(limits.connections),
      connections_of_one: UInt32(limits.connectionsOfOne), idle_seconds: 30,
      connection_memory: limits.head)
    let daemon = unsafe address.withSocketAddress(port: port) { address in
      unsafe livetop_start(
        address, limits, takeRequest, endRequest, changeConnection,
        Unmanaged.passUnretained(core).toOpaque())
    }
    guard let daemon = unsafe daemon else { throw CannotListen() }
    self.core = core
    self.daemon = Mutex(UInt(bitPattern: daemon))
    self.port = UInt16(unsafe livetop_port(daemon))
  }

  deinit { stop() }

  /// Ends connections whose request is overdue or can no longer arrive.
  ///
  /// Call this method several times per second.
  public func endOverdue() { core.endOverdue() }

  /// Closes every connection and stops listening.
  ///
  /// A second call does nothing.
  ///
  /// Finish every `EventStream` first, because the library cannot close a suspended connection.
  public func stop() {
    guard let address = daemon.withLock({ $0.take() }) else { return }
    unsafe MHD_stop_daemon(OpaquePointer(bitPattern: address))
  }
}

/// The library calls this function for the head of a request, for each part of its body, and once when the request is complete.
private let takeRequest: MHD_AccessHandlerCallback = {
  context, connection, path, method, _, bytes, count, slot in
  guard
    let context = unsafe context, let connection = unsafe connection, let path = unsafe path,
    let method = unsafe method, let count = unsafe count, let slot = unsafe slot
  else { return .NO }
  let core = unsafe Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
  if unsafe slot.pointee == livetop_cut_line() {
    unsafe slot.pointee = nil
    return unsafe core.queue(.text("the request line contains a NUL", status: 400), on: connection)
  }
  guard let known = unsafe slot.pointee else {
    let (exchange, refusal) = unsafe core.begin(
      connection, method: String(cString: method), path: String(cString: path))
    if let exchange { unsafe slot.pointee = Unmanaged.passRetained(exchange).toOpaque() }
    guard let refusal else { return .YES }
    return unsafe core.queue(refusal, on: connection)
  }
  let exchange = unsafe Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
  if unsafe count.pointee > 0 {
    let part = unsafe UnsafeRawBufferPointer(start: bytes, count: count.pointee)
    unsafe count.pointee = 0
    return unsafe exchange.add(part) ? .YES : .NO
  }
  core.arrivals.forget(unsafe livetop_socket(connection))
  return unsafe core.queue(core.answer(exchange.request), on: connection)
}

/// The library calls this function when a request has been answered or its connection has failed.
private let endRequest: MHD_RequestCompletedCallback = { context, connection, slot, _ in
  guard let context = unsafe context, let slot = unsafe slot else { return }
  if let known = unsafe slot.pointee, unsafe known != livetop_cut_line() {
    unsafe Unmanaged<Exchange>.fromOpaque(known).release()
    unsafe slot.pointee = nil
  }
  let core = unsafe Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
  core.arrivals.expect(on: unsafe livetop_socket(connection))
}

/// The library calls this function when a client has connected, and before it closes the client's socket.
private let changeConnection: MHD_NotifyConnectionCallback = { context, connection, _, change in
  guard let context = unsafe context else { return }
  let core = unsafe Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
  let socket = unsafe livetop_socket(connection)
  if change == .CONNECTION_NOTIFY_STARTED {
    core.arrivals.expect(on: socket)
  } else {
    core.arrivals.forget(socket)
  }
}
