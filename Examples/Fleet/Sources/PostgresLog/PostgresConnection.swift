package import AsyncKnot
import CPostgres
import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A connection to PostgreSQL, which the first query opens, and which the next query reopens after a loss.
///
/// The state counts notifications. The connection has its own thread, which waits for the server's responses and, between
/// queries, for notifications.
package actor PostgresConnection: StateActor {
  /// An error with the message of the server or of libpq.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
    /// Whether the connection was lost.
    ///
    /// If it was not lost, the options are invalid, the server has refused the statement, or a value of the result is invalid.
    package var isLost = false
  }

  /// Increases when notifications arrive, and when a connection is opened, because notifications may have been missed before.
  package let knot = Knot(0)
  private nonisolated let thread = SocketThread()
  private let options: String
  private let channel: String
  private let patience: Duration
  private let setUp: [String]
  /// The connection of libpq, which only this actor and its deinitializer use.
  private nonisolated(unsafe) var connection: OpaquePointer?

  /// Creates a connection without opening it.
  ///
  /// - Parameters:
  ///   - options: A connection string or URI of libpq. A string with a password is refused, because `ps` would show it.
  ///   - channel: The channel to listen to.
  ///   - patience: The time within which the server must accept the connection, and must carry out each statement. After this
  ///     time, the connection counts as lost.
  ///   - setUp: The statements that each new connection runs first.
  /// - Throws: An error if the options are invalid.
  package init(
    _ options: String, listeningTo channel: String, patience: Duration = .seconds(5),
    setUp: [String] = []
  ) throws(Failure) {
    var message: UnsafeMutablePointer<CChar>?
    guard let parsed = PQconninfoParse(options, &message) else {
      defer { PQfreemem(message) }
      throw Failure(description: message.map { Self.text($0) } ?? "libpq cannot allocate memory")
    }
    defer { PQconninfoFree(parsed) }
    var option = parsed
    while let keyword = option.pointee.keyword {
      if String(cString: keyword) == "password", option.pointee.val != nil {
        throw Failure(
          description:
            "every user of this machine can see a password in an argument; use PGPASSFILE or a service file"
        )
      }
      option += 1
    }
    self.options = options
    self.channel = channel
    self.patience = patience
    self.setUp = setUp
  }

  deinit {
    PQfinish(connection)
    thread.end()
  }

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  /// Runs a statement and waits for its result.
  ///
  /// - Parameters:
  ///   - statement: A single statement, in which `$1` is the first parameter.
  ///   - parameters: The parameters, as text.
  /// - Returns: The rows, as text.
  /// - Throws: ``Failure``. The statement may have been carried out.
  package func query(_ statement: String, _ parameters: [String?] = []) throws(Failure)
    -> [[String?]]
  {
    if connection == nil { try connect() }
    return try ask(statement, parameters)
  }

  private func connect() throws(Failure) {
    let deadline = ContinuousClock.now + patience
    connection = PQconnectStart(options)
    var status = PGRES_POLLING_WRITING
    while status != PGRES_POLLING_OK {
      guard status != PGRES_POLLING_FAILED, PQstatus(connection) != CONNECTION_BAD else {
        throw lose()
      }
      try wait(for: status == PGRES_POLLING_READING ? POLLIN : POLLOUT, until: deadline)
      status = PQconnectPoll(connection)
    }
    PQsetnonblocking(connection, 1)
    PQsetNoticeProcessor(connection, { _, _ in }, nil)
    do throws(Failure) {
      for statement in ["SET client_min_messages = warning"] + setUp + ["LISTEN \(channel)"] {
        _ = try ask(statement, [])
      }
    } catch {
      throw connection == nil ? error : lose(error)
    }
    // Notifications before this point are lost, so count one notification.
    ring()
  }

  private func ask(_ statement: String, _ parameters: [String?]) throws(Failure) -> [[String?]] {
    let deadline = ContinuousClock.now + patience
    thread.watchNothing()
    let copies = parameters.map { $0.flatMap { strdup($0) } }
    defer { for copy in copies { free(copy) } }
    let values = copies.map { UnsafePointer($0) }
    guard
      PQsendQueryParams(connection, statement, Int32(values.count), nil, values, nil, nil, 0) == 1
    else { throw lose() }
    while true {
      let rest = PQflush(connection)
      guard rest >= 0 else { throw lose() }
      if rest == 0 { break }
      let events = try wait(for: POLLIN | POLLOUT, until: deadline)
      if events & POLLIN != 0, PQconsumeInput(connection) == 0 { throw lose() }
    }
    var rows: [[String?]] = []
    var failure: Failure?
    while true {
      while PQisBusy(connection) == 1 {
        try wait(for: POLLIN, until: deadline)
        guard PQconsumeInput(connection) == 1 else { throw lose() }
      }
      guard let result = PQgetResult(connection) else { break }
      defer { PQclear(result) }
      switch PQresultStatus(result) {
      case PGRES_TUPLES_OK, PGRES_COMMAND_OK: rows += Self.rows(result)
      default: failure = Failure(description: Self.text(PQresultErrorMessage(result)))
      }
    }
    guard PQstatus(connection) == CONNECTION_OK else { throw lose(failure) }
    listen()
    if let failure { throw failure }
    return rows
  }

  /// Reads the available input, and lets the thread wait for more.
  private func listen() {
    guard PQconsumeInput(connection) == 1 else {
      _ = lose()
      return
    }
    var isRung = false
    while let notification = PQnotifies(connection) {
      PQfreemem(notification)
      isRung = true
    }
    if isRung { ring() }
    thread.watch(PQsocket(connection)) { [weak self] in
      Task { await self?.hear() }
    }
  }

  private func hear() {
    if connection != nil { listen() }
  }

  private func ring() { reduce { $0 += 1 } }

  @discardableResult
  private func wait(
    for events: Int32, until deadline: ContinuousClock.Instant
  ) throws(Failure) -> Int32 {
    while true {
      let left = deadline - ContinuousClock.now
      guard left > .zero else {
        throw lose(
          Failure(description: "the server has not completed the request within \(patience)"))
      }
      var wait = pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
      let milliseconds = Int32(left / .milliseconds(1)) + 1
      if poll(&wait, 1, milliseconds) > 0 { return Int32(wait.revents) }
    }
  }

  /// Closes the connection, and counts a notification, because a notification may have been missed.
  private func lose(_ failure: Failure? = nil) -> Failure {
    let said = Self.text(PQerrorMessage(connection))
    thread.watchNothing()
    PQfinish(connection)
    connection = nil
    ring()
    var failure = failure ?? Failure(description: said.isEmpty ? "the connection was lost" : said)
    failure.isLost = true
    return failure
  }

  private static func rows(_ result: OpaquePointer) -> [[String?]] {
    (0..<PQntuples(result)).map { row in
      (0..<PQnfields(result)).map { column in
        PQgetisnull(result, row, column) == 1
          ? nil : String(cString: PQgetvalue(result, row, column))
      }
    }
  }

  /// Joins the lines of a message into one line.
  private static func text(_ message: UnsafePointer<CChar>) -> String {
    String(cString: message).split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "; ")
  }
}
