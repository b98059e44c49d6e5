import AsyncDiff
import CZlib
import Testing
import WebServer

@testable import Fleet

@Suite struct LogNameTests {
  @Test("the revisions that a page sends are parsed, for logs and for the list of machines")
  func revisions() {
    let revisions = [
      "*": SnapshotRevision(epoch: 7, number: 1),
      "B": SnapshotRevision(epoch: 4_711, number: 3),
      "a.b_c-9": SnapshotRevision(epoch: 1, number: 15),
    ]
    #expect(LogName.revisions("*=7-1,B=4711-3,a.b_c-9=1-15") == revisions)
  }

  @Test("invalid parts of a list of revisions are skipped")
  func strange() {
    #expect(LogName.revisions("").isEmpty)
    #expect(LogName.revisions("=1-2,A,A=,A=1-,B=x,C C=1-2,,D=1-2-3").isEmpty)
    #expect(LogName.revisions("A=1-2,x,B=3-4").count == 2)
  }

  @Test(
    "names that would break a request are invalid",
    arguments: ["", "*", "a=b", "a,b", "a b", "é", "a\nb"])
  func name(_ name: String) {
    #expect(!LogName.isOne(name))
  }

  @Test("a name has at most 64 characters")
  func length() {
    #expect(LogName.isOne(String(repeating: "a", count: 64)))
    #expect(!LogName.isOne(String(repeating: "a", count: 65)))
  }
}

@Suite struct PackedTests {
  @Test("the head and the parts from any step to the last step can be unpacked as one stream")
  func parts() throws {
    let steps = (0..<5).map { step in
      (0..<2_000 * step + 1).flatMap { Array("step \(step), row \($0 % 17)\n".utf8) }
    }
    let packed = steps.map { Packed.part($0) }
    for first in steps.indices {
      let stream = Packed.head + packed[first...].flatMap { $0 }
      #expect(unpack(stream) == Array(steps[first...].joined()), "from step \(first)")
    }
    #expect(packed[4].count < steps[4].count / 6)
  }

  private func unpack(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    inflateInit2_(&stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    defer { inflateEnd(&stream) }
    var bytes = bytes
    return bytes.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      return [UInt8](unsafeUninitializedCapacity: 1 << 20) { output, count in
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        inflate(&stream, Z_SYNC_FLUSH)
        count = output.count - Int(stream.avail_out)
      }
    }
  }
}

@Suite struct ArgumentsTests {
  @Test("the error for an invalid command line names the wrong or missing argument")
  func misuse() {
    for (words, reason) in [
      ([], "needs publish, show or forget; got nothing"),
      (["watch"], "needs publish, show or forget; got watch"),
      (["show"], "--log: needs connection options of libpq; got nothing"),
      (
        ["publish", "--name", "a b"], "--name: needs at most 64 letters, digits, . _ -; got a b"
      ),
      (["publish", "--port", "1"], "--port: unexpected argument"),
      (
        ["publish", "--log", "x", "--machines", "2"],
        "--machines: needs --simulate, because only a simulation has several machines"
      ),
      (["forget"], "forget: needs the name of a log; got nothing"),
      (["show", "--tabs", "0"], "--tabs: needs a number from 1 to 10000; got 0"),
    ] {
      let error = #expect(throws: OptionWords.Misuse.self) { _ = try Arguments(words) }
      #expect(error?.message == reason)
    }
  }

  @Test("without `--name`, a log has a valid name")
  func name() throws {
    #expect(LogName.isOne(try Arguments(["publish", "--log", "service=x"]).name))
  }
}
