import AsyncKnotTesting
import Testing

@testable import LogWatch

@Suite("LogWatch: what journalctl writes")
struct LogWatchJournalTests {
  /// Two records; the message of the second is binary, for it has a line feed and what looks like a field.
  private static let export: [UInt8] = {
    let binary = Array("two\nPRIORITY=0\n\n".utf8)
    let size = (0..<8).map { UInt8(truncatingIfNeeded: binary.count >> ($0 * 8)) }
    return Array(
      """
      __CURSOR=s=1;i=2
      __REALTIME_TIMESTAMP=1718272800123456
      _BOOT_ID=0123
      PRIORITY=3
      _HOSTNAME=web
      SYSLOG_IDENTIFIER=my app
      _PID=812
      MESSAGE=it=failed

      __CURSOR=s=1;i=3
      __REALTIME_TIMESTAMP=1718272801000000
      PRIORITY=6
      _COMM=cron
      MESSAGE

      """.utf8) + size + binary + Array("\n\n__CURSOR=x\n_COMM=last\nMESSAGE=cut".utf8)
  }()

  private func text(_ bytes: [UInt8], in chunk: Int) -> String {
    var journal = JournalExport()
    var output: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      output += journal.lines(bytes[start..<min(start + chunk, bytes.count)])
    }
    return String(decoding: output + journal.finish(), as: UTF8.self)
  }

  @Test(
    "A record is one line of syslog, however its bytes arrive", arguments: [1, 2, 3, 7, 64, 4096])
  func export(chunk: Int) {
    #expect(
      text(Self.export, in: chunk) == """
        <3>1 2024-06-13T10:00:00Z web my_app 812 - - it=failed
        <6>1 2024-06-13T10:00:01Z - cron - - - two PRIORITY=0\u{20}\u{20}
        <6>1 1970-01-01T00:00:00Z - last - - - cut

        """)
  }

  @Test("Any other log passes as it is, also one that begins alike", arguments: [1, 5, 64])
  func others(chunk: Int) {
    for log in ["", "a\nb", "__CURS", "__CURSE\n\nx\n", "\n\n", "MESSAGE=x\n"] {
      #expect(text(Array(log.utf8), in: chunk) == log)
    }
  }

  @Test("Bytes that are no records end in no trap and in bounded lines", arguments: 1...200)
  func damaged(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bytes = Self.export + Self.export
    for _ in 0..<8 {
      bytes[Int.random(in: 9..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
    }
    let whole = text(bytes, in: bytes.count)
    #expect(text(bytes, in: Int.random(in: 1...50, using: &random)) == whole)
    #expect(whole.utf8.count <= bytes.count + 400)
  }

  @Test("Lines of -o json have their level, their program and their time")
  func json() {
    let line =
      #"{"PRIORITY":"4","SYSLOG_IDENTIFIER":"sshd","MESSAGE":"x","__REALTIME_TIMESTAMP":"1718272800123456"}"#
    let entry = LogParser(year: 2024).parse(Array(line.utf8)[...])
    #expect(entry.format == .json && entry.category == .warning)
    #expect(entry.key == .made("sshd") && entry.time == 1_718_272_800)
  }
}
