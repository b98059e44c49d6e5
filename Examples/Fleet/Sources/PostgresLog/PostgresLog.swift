package import AsyncDiff
package import FleetLog

/// An engine that stores logs in PostgreSQL.
///
/// The tables have a row for each log, which an append locks, and a row for each message.
package struct PostgresLog: SnapshotLog {
  private let connection: PostgresConnection

  /// Creates an engine without connecting to the server.
  ///
  /// - Parameter options: A connection string or URI of libpq.
  /// - Throws: An error if the options are invalid.
  package init(_ options: String) throws(PostgresConnection.Failure) {
    connection = try PostgresConnection(
      options, listeningTo: "fleet", setUp: [Self.tables])
  }

  package func claim(
    _ name: String, as epoch: UInt64, inPlaceOf old: UInt64?, lease: Duration
  ) async throws -> ClaimOutcome {
    let granted = try await connection.query(
      """
      INSERT INTO fleet_log AS log (name, epoch, number, lease, heartbeat)
      VALUES ($1, $2, 0, make_interval(secs => $4), clock_timestamp())
      ON CONFLICT (name) DO UPDATE SET
        epoch = excluded.epoch, lease = excluded.lease, heartbeat = clock_timestamp(), trouble = NULL,
        number = CASE WHEN log.epoch = excluded.epoch THEN log.number ELSE 0 END
      WHERE log.epoch IN ($2, $3) OR NOT \(Self.isSane) OR \(Self.silence) >= \(Self.lease)
      RETURNING epoch
      """, [name, "\(epoch)", old.map { "\($0)" }, "\(lease / .seconds(1))"])
    if !granted.isEmpty { return .granted }
    try await countFromNow()
    let rows = try await connection.query(
      """
      SELECT GREATEST(\(Self.lease) - \(Self.silence), 0)
      FROM fleet_log AS log WHERE name = $1 AND \(Self.isSane)
      """, [name])
    return .taken(for: .seconds(try rows.first?.decode(0, Double.self) ?? 0))
  }

  package func append(_ message: LogMessage, to name: String) async throws -> AppendOutcome {
    guard case .text(let text) = message.body else {
      preconditionFailure(
        """
        PostgresLog.append(_:to:): message \(message.revision) has the body \(message.body), which was \
        not read; append a message whose body is '.text'
        """)
    }
    let (epoch, number) = (message.revision.epoch, message.revision.number)
    // A single statement is a transaction. It changes the number under the lock of the log's row, so the message and the number
    // become visible together.
    let written = try await connection.query(
      """
      WITH log AS (
        UPDATE fleet_log SET number = $3, heartbeat = clock_timestamp(), trouble = NULL
        WHERE name = $1 AND epoch = $2 AND number = $3::bigint - 1 RETURNING name
      ), written AS (
        INSERT INTO fleet_message (log, epoch, number, is_full, format, body)
        SELECT name, $2, $3, $4, $5, $6 FROM log RETURNING log
      ), forgotten AS (
        DELETE FROM fleet_message USING log
        WHERE $4 AND log = log.name AND (epoch <> $2 OR number < $3::bigint - $7::bigint)
      )
      SELECT log FROM written
      """,
      [
        name, "\(epoch)", "\(number)", "\(message.isFull)", "\(message.format)", text,
        "\(LogMessage.retention)",
      ])
    if !written.isEmpty {
      // Notify outside the transaction above, because a transaction that notifies blocks all other commits until it is on disk.
      // Losing a notification is harmless, because followers also poll.
      _ = try? await connection.query("SELECT pg_notify('fleet', $1)", [name])
      return .appended
    }
    let rows = try await connection.query(
      "SELECT epoch, number FROM fleet_log WHERE name = $1", [name])
    // If the row is invalid, another program has written it, so the claim is lost.
    guard let revision = try? rows.first?.revision(), revision.epoch == epoch else { return .lost }
    return revision.number == number ? .appended : .elsewhere(revision)
  }

  package func renew(_ name: String, _ epoch: UInt64, trouble: String?) async throws -> Bool {
    try await !connection.query(
      """
      UPDATE fleet_log SET heartbeat = clock_timestamp(), trouble = $3
      WHERE name = $1 AND epoch = $2 RETURNING name
      """, [name, "\(epoch)", trouble]
    ).isEmpty
  }

  package func complain(_ name: String, _ epoch: UInt64, of trouble: String) async throws {
    _ = try await connection.query(
      "UPDATE fleet_log SET trouble = $3 WHERE name = $1 AND epoch = $2",
      [name, "\(epoch)", trouble])
  }

  package func release(_ name: String, _ epoch: UInt64) async throws {
    _ = try await connection.query(
      """
      WITH log AS (
        UPDATE fleet_log SET lease = '0' WHERE name = $1 AND epoch = $2 RETURNING name
      )
      SELECT pg_notify('fleet', name) FROM log
      """, [name, "\(epoch)"])
  }

  package func heads() async throws -> [LogHead] {
    let rows = try await connection.query(
      """
      SELECT epoch, number, name, lease, heartbeat,
        CASE WHEN \(Self.isSane) THEN \(Self.silence) < \(Self.lease) END,
        CASE WHEN \(Self.isSane) THEN \(Self.silence) END,
        heartbeat > clock_timestamp(), trouble
      FROM fleet_log AS log ORDER BY name
      """)
    // A heartbeat in the future would keep its lease alive for too long, so it is reset to now. A database user that can only
    // read cannot reset it, so it stays until a client that can write reads the heads.
    if rows.contains(where: { $0[7] == "t" }) { try? await countFromNow() }
    return try rows.map { row in
      let name = try row.decode(2, String.self)
      do {
        let revision = try row.revision()
        guard let isAlive = row[5] else {
          return LogHead(
            name: name,
            trouble: "needs a lease of 0 to 1 day, and a heartbeat after 1999; "
              + "got \(row.text(3)) and \(row.text(4))")
        }
        let silence = Duration.seconds(try row.decode(6, Double.self))
        return LogHead(
          name: name, revision: revision, isAlive: isAlive == "t", silence: silence,
          complaint: row[8])
      } catch {
        return LogHead(name: name, trouble: "\(error)")
      }
    }
  }

  /// Deletes logs without a writer, and the remaining messages of deleted logs.
  ///
  /// A writer that comes back later starts a new epoch. If several callers run at the same time, only one of them deletes each
  /// log.
  ///
  /// - Parameters:
  ///   - name: The name of the log, which may be invalid; `nil` for all dead logs.
  ///   - age: The time for which the logs must have been dead.
  /// - Returns: The names of the deleted logs.
  /// - Throws: An error of the engine. The logs may have been deleted.
  package func forget(_ name: String? = nil, deadFor age: Duration = .zero) async throws -> [String]
  {
    let rows = try await connection.query(
      """
      DELETE FROM fleet_log WHERE name IN (
        SELECT name FROM fleet_log AS log
        WHERE ($1::text IS NULL OR name = $1)
          AND CASE WHEN \(Self.isSane) THEN \(Self.silence) >= \(Self.lease) + $2::numeric
            ELSE $1::text IS NOT NULL END
        FOR UPDATE SKIP LOCKED)
      RETURNING name
      """, [name, "\(age / .seconds(1))"])
    // A separate statement also sees messages that were appended in the meantime. A writer that comes back starts another epoch,
    // so the statement keeps that writer's messages.
    _ = try await connection.query(
      """
      DELETE FROM fleet_message AS message WHERE NOT EXISTS (
        SELECT FROM fleet_log WHERE name = message.log AND epoch = message.epoch)
        AND ($1::text IS NULL OR log = $1)
      """, [name])
    return rows.map { $0.text(0) }
  }

  // Any client may have written the times of a row, so the statements compute with numbers of seconds. If they added intervals to
  // times, a result could be out of range, even for an interval of zero, and the statement would then fail for all rows.

  /// The lease of a row, in seconds.
  private static let lease = "extract(epoch FROM log.lease)"
  /// The age of the last heartbeat, in seconds; 0 for a heartbeat in the future.
  private static let silence =
    "GREATEST(extract(epoch FROM clock_timestamp()) - extract(epoch FROM log.heartbeat), 0)"
  /// Whether a row's times are valid.
  private static let isSane = "(\(lease) BETWEEN 0 AND 86400 AND log.heartbeat >= '2000-01-01')"

  /// Restarts leases whose last heartbeat is in the future, because the server's clock was set back and the heartbeat's age is
  /// unknown.
  private func countFromNow() async throws {
    _ = try await connection.query(
      "UPDATE fleet_log SET heartbeat = clock_timestamp() WHERE heartbeat > clock_timestamp()")
  }

  package func messages(
    of name: String, since revision: SnapshotRevision?
  ) async throws -> [LogMessage] {
    do {
      return try await read(name, since: revision)
    } catch let failure as PostgresConnection.Failure where !failure.isLost {
      throw UnreadableLog(name, failure.description)
    }
  }

  private func read(
    _ name: String, since revision: SnapshotRevision?
  ) async throws -> [LogMessage] {
    let rows = try await connection.query(
      """
      WITH log AS (SELECT epoch, number FROM fleet_log WHERE name = $1), start AS (
        SELECT epoch, CASE
          WHEN epoch = $2 AND number <= $3 THEN NULL
          WHEN epoch = $2 AND EXISTS (
            SELECT FROM fleet_message WHERE log = $1 AND epoch = $2 AND number = $3::bigint + 1
          ) THEN $3::bigint + 1
          WHEN epoch = $2 THEN (
            SELECT coalesce(min(message.number) FILTER (WHERE is_full), min(message.number))
            FROM fleet_message AS message
            WHERE message.log = $1 AND message.epoch = $2 AND message.number > $3)
          ELSE (
            SELECT min(message.number) FROM fleet_message AS message
            WHERE message.log = $1 AND message.epoch = log.epoch AND is_full)
          END AS number
        FROM log)
      SELECT message.epoch, message.number, is_full, format, octet_length(body),
        CASE WHEN octet_length(body) <= $4::int THEN body END
      FROM start JOIN fleet_message AS message
        ON log = $1 AND message.epoch = start.epoch AND message.number >= start.number
      ORDER BY message.number LIMIT 16
      """,
      [
        name, revision.map { "\($0.epoch)" }, revision.map { "\($0.number)" },
        "\(LogMessage.limit)",
      ])
    return try rows.map { row in
      LogMessage(
        try row.revision(), isFull: row[2] == "t", format: try row.decode(3, Int.self),
        body: try row[5].map { .text($0) } ?? .tooLong(row.decode(4, Int.self)))
    }
  }

  package func bells() -> any AsyncSequence<Void, Never> & Sendable {
    connection.states.map { _ in }
  }

  /// Creates the tables.
  ///
  /// Several clients may start at the same time, so a lock lets only one of them create the tables.
  private static let tables = """
    DO $$ BEGIN
      IF NOT EXISTS (
        SELECT FROM pg_attribute WHERE attrelid = to_regclass('fleet_log') AND attname = 'trouble'
      ) THEN
        PERFORM pg_advisory_xact_lock(hashtext('fleet'));
        CREATE TABLE IF NOT EXISTS fleet_log (
          name text PRIMARY KEY,
          epoch bigint NOT NULL,
          number bigint NOT NULL,
          lease interval NOT NULL,
          heartbeat timestamptz NOT NULL);
        CREATE TABLE IF NOT EXISTS fleet_message (
          log text NOT NULL,
          epoch bigint NOT NULL,
          number bigint NOT NULL,
          is_full boolean NOT NULL,
          format int NOT NULL,
          body text NOT NULL,
          PRIMARY KEY (log, epoch, number));
        ALTER TABLE fleet_log ADD COLUMN IF NOT EXISTS trouble text;
      END IF;
    END $$
    """
}

extension [String?] {
  fileprivate func decode<Value: LosslessStringConvertible>(
    _ column: Int, _ type: Value.Type
  ) throws(PostgresConnection.Failure) -> Value {
    guard let text = self[column], let value = Value(text) else {
      throw PostgresConnection.Failure(
        description: "column \(column): needs \(type); got \(text(column))")
    }
    return value
  }

  fileprivate func text(_ column: Int) -> String { self[column] ?? "nothing" }

  /// Returns the revision in the first two columns.
  fileprivate func revision() throws(PostgresConnection.Failure) -> SnapshotRevision {
    guard let revision = SnapshotRevision("\(text(0))-\(text(1))"), revision.epoch < 1 << 53 else {
      throw PostgresConnection.Failure(
        description: "needs an epoch and number from 0 to 2⁵³ - 1; got \(text(0)) and \(text(1))")
    }
    return revision
  }
}
