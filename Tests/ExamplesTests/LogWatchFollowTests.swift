import AsyncKnotTesting
import AsyncKnot
import Testing

@testable import LogWatch

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("LogWatch: following files")
struct LogWatchFollowTests {
  @Test("In a file that is not followed, the last line is read even without a line ending")
  func finite() async throws {
    let place = try Place()
    place.write("one\ntwo")
    #expect(try await place.lines() == ["one", "two"])
    place.write("")
    #expect(try await place.lines() == [])
  }

  @Test("Appended lines are read, and a line written in parts is one line")
  func append() async throws {
    let (place, log) = try await Followed.one()
    place.append("tw")
    #expect(try await log.lines() == [])
    place.append("o\nthree\nfo")
    #expect(try await log.lines() == ["two", "three"])
    #expect(await log.file.finish()?.texts == ["fo"])
  }

  @Test("A replaced file is read to its end, and then the new file is read from its start")
  func rotate() async throws {
    let (place, log) = try await Followed.one()
    place.append("two\npart")
    place.moveAway()
    place.append("three\n", toOld: true)
    place.write("first\n")
    #expect(try await log.look() == ["two", "partthree"])
    // The writer of the old file still has that file open.
    place.append("four\n", toOld: true)
    #expect(try await log.look() == ["four"])
    #expect(try await log.look() == ["first"])
  }

  @Test(
    "A truncated file is read from its start, and its incomplete last line before the truncation still counts"
  )
  func truncate() async throws {
    let (place, log) = try Followed.file("one\ntwo\npart")
    #expect(try await log.lines() == ["one", "two"])
    place.truncate()
    #expect(try await log.lines() == ["part"])
    place.append("new\n")
    #expect(try await log.lines() == ["new"])
    place.truncate()
    place.append("x\n")
    #expect(try await log.lines() == ["x"])
  }

  @Test("A followed file may appear later, disappear and appear again")
  func appear() async throws {
    let place = try Place()
    let log = Followed(place)
    #expect(try await log.lines() == [])
    place.write("one\n")
    #expect(try await log.lines() == ["one"])
    place.moveAway()
    #expect(try await log.lines() == [])
    place.write("two\n")
    #expect(try await log.lines() == ["two"])
  }

  @Test("Old lines are distinguished from lines that arrive later")
  func backlog() async throws {
    let (place, log) = try Followed.file("one\n")
    #expect(try await log.file.next()?.isBacklog == true)
    #expect(try await log.look() == [])
    place.append("two\n")
    #expect(try await log.file.next()?.isBacklog == false)
    place.moveAway()
    place.write("three\n")
    #expect(try await log.lines() == ["three"])
    place.append("four\n")
    #expect(try await log.file.next()?.isBacklog == false)
    var state = Dashboard.State()
    var batch = LineBatch()
    batch.append(Array("old".utf8)[...], length: 3)
    batch.isBacklog = true
    state.absorb(LineDigest(of: batch))
    batch.isBacklog = false
    state.absorb(LineDigest(of: batch))
    state.rate.tick(lines: state.tally.lines)
    #expect(state.rate.perSecond == 1)
  }

  @Test("Lines that arrive after a truncation are not old")
  func truncatedBacklog() async throws {
    let (place, log) = try Followed.file("one\ntwo\nthree\n")
    #expect(try await log.file.next()?.isBacklog == true)
    place.truncate()
    #expect(try await log.look() == [])
    place.append("new\n")
    #expect(try await log.file.next()?.isBacklog == false)
  }

  @Test(
    "Lines arrive at each wake-up, and the last lines arrive when the wake-ups end, even after a rotation"
  )
  func wakeups() async throws {
    let place = try Place()
    place.write("one\n")
    let (wakeups, wake) = AsyncStream.makeStream(of: Void.self)
    var batches = Followed(place).file.batches(waking: wakeups).makeAsyncIterator()
    #expect(try await batches.next()?.texts == ["one"])
    place.append("two\nrest")
    #expect(try await batches.next()?.texts == ["two"])
    place.append(" of it\n")
    wake.yield()
    #expect(try await batches.next()?.texts == ["rest of it"])
    place.append("last\n")
    place.moveAway()
    place.write("new\nfo")
    wake.finish()
    for texts in [["last"], ["new"], ["fo"]] { #expect(try await batches.next()?.texts == texts) }
    #expect(try await batches.next() == nil)
  }

  @Test("A named pipe is followed without blocking")
  func namedPipe() async throws {
    let place = try Place()
    mkfifo(place.path, 0o600)
    let log = Followed(place)
    #expect(try await log.lines() == [])
    let writer = open(place.path, O_WRONLY)
    #expect(systemWrite(writer, Array("one\n".utf8)) == 4)
    #expect(try await log.lines() == ["one"])
    close(writer)
    #expect(try await log.lines() == [])
  }

  @Test("A missing file and a directory are errors that name the path")
  func errors() async throws {
    let place = try Place()
    await #expect(throws: SourceError.missing(place.path)) { try await place.lines() }
    let directory = LogFile(path: place.directory, follows: true)
    await #expect(throws: SourceError.isDirectory(place.directory)) { try await directory.next() }
  }

  @Test(
    "Every line counts once, even if the log grows and rotates between reads", arguments: 1...25)
  func storm(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let (place, log) = try Followed.file("start\n")
    var written = ["start"]
    // Without this read, a file that is replaced before the first read would never be seen.
    var read = try await log.lines()
    var partial = ""
    for step in 0..<60 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<4:
        let text = (0..<Int.random(in: 1...3, using: &random)).map { "\(step).\($0)\n" }.joined()
        place.append(text)
        written += (partial + text).split(separator: "\n").map(String.init)
        partial = ""
      case 4:
        place.append("part\(step)")
        partial += "part\(step)"
      case 5:
        // A truncation loses unread lines, so all lines are read before it.
        read += try await log.lines()
        if !partial.isEmpty { written.append(partial) }
        partial = ""
        place.truncate()
        read += try await log.lines()
      case 6:
        place.moveAway()
        place.write("new\(step)\n")
        if !partial.isEmpty { written.append(partial) }
        partial = ""
        written.append("new\(step)")
        read += try await log.lines()
      default: read += try await log.lines()
      }
    }
    read += try await log.lines()
    read += await log.file.finish()?.texts ?? []
    if !partial.isEmpty { written.append(partial) }
    #expect(read == written)
  }
}

/// A followed log whose polls the test triggers.
private struct Followed {
  let file: LogFile

  init(_ place: Place) {
    file = LogFile(path: place.path, follows: true)
  }

  /// Returns a log with unread text.
  static func file(_ text: String) throws -> (Place, Followed) {
    let place = try Place()
    place.write(text)
    return (place, Followed(place))
  }

  /// Returns a log with one line that has already been read.
  static func one() async throws -> (Place, Followed) {
    let (place, log) = try file("one\n")
    #expect(try await log.lines() == ["one"])
    return (place, log)
  }

  /// Returns the lines that a few reads of the file find.
  func lines() async throws -> [String] {
    var lines: [String] = []
    for _ in 0..<3 { lines += try await look() }
    return lines
  }

  /// Returns the lines that one read of the file finds.
  func look() async throws -> [String] {
    var lines: [String] = []
    while let batch = try await file.next() { lines += batch.texts }
    return lines
  }
}

extension LineBatch {
  fileprivate var texts: [String] { map { String(decoding: $0.bytes, as: UTF8.self) } }
}

/// A log file in its own temporary directory, which is deleted with this object.
private final class Place: Sendable {
  struct Unavailable: Error {}
  let directory: String
  var path: String { directory + "/app.log" }

  init() throws {
    var template = Array(("/tmp/logwatch-" + String(repeating: "X", count: 6)).utf8CString)
    guard mkdtemp(&template) != nil else { throw Unavailable() }
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in [path, path + ".1"] { unlink(name) }
    rmdir(directory)
  }

  func lines() async throws -> [String] {
    var lines: [String] = []
    for try await batch in LogFile(path: path, follows: false).batches() { lines += batch.texts }
    return lines
  }

  /// Replaces the contents of the file; after `moveAway()`, creates a new file with another inode, as a rotation does.
  func write(_ text: String) {
    put(text, path, O_TRUNC)
  }

  func append(_ text: String, toOld: Bool = false) {
    put(text, toOld ? path + ".1" : path, O_APPEND)
  }

  func moveAway() {
    rename(path, path + ".1")
  }

  func truncate() {
    put("", path, O_TRUNC)
  }

  private func put(_ text: String, _ path: String, _ flags: Int32) {
    let file = open(path, O_WRONLY | O_CREAT | flags, 0o600)
    let bytes = Array(text.utf8)
    if systemWrite(file, bytes) != bytes.count { Issue.record("cannot write \(path)") }
    close(file)
  }
}

private func systemWrite(_ file: Int32, _ bytes: [UInt8]) -> Int {
  write(file, bytes, bytes.count)
}
