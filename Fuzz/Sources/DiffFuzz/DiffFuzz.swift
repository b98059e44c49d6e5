import AsyncDiff
import Foundation

/// Lists and sections that libFuzzer makes up, diffed and put to the oracles of the tests.
///
/// What an oracle complains about is a crash, whose input libFuzzer leaves behind.
@main
struct DiffFuzz {
  static func main() {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    exit(runDriver(&count, &arguments, fuzz))
  }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The first byte chooses between lists and sections; the rest describes two of them.
///
/// libFuzzer's own `main`, which is linked but not called, wants the name.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var bytes = UnsafeBufferPointer(start: start, count: count)[...]
  guard let kind = bytes.popFirst() else { return 0 }
  let complaint =
    kind % 2 == 0 ? complaintAboutLists(bytes, kind / 2) : complaintAboutSections(bytes)
  if let complaint { fatalError("DiffFuzz: \(complaint)") }
  return 0
}

/// Each byte is a row; a 0 ends the old list.
private func complaintAboutLists(
  _ bytes: UnsafeBufferPointer<UInt8>.SubSequence, _ alphabet: UInt8
) -> String? {
  let lists = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    .map { $0.map { Row(diffIdentifier: Int($0 / 2 % max(1, alphabet)), content: Int($0 % 2)) } }
  guard lists.count == 2 else { return nil }
  let isUnique = lists.allSatisfy { Set($0.map(\.diffIdentifier)).count == $0.count }
  return ChangesetOracle.complaint(
    about: Changeset(from: lists[0], to: lists[1]), from: lists[0], to: lists[1],
    isMinimal: isUnique)
}

/// A 0 ends the old snapshot; a multiple of 8 starts one of six sections, another byte is an item.
private func complaintAboutSections(_ bytes: UnsafeBufferPointer<UInt8>.SubSequence) -> String? {
  let snapshots = bytes.prefix(80)
    .split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    .map { bytes in
      var days: [Day] = []
      for byte in bytes {
        let name = "\(byte / 8 % 6)"
        if byte % 8 != 0, let last = days.indices.last {
          days[last].items.append(Article(Int(byte / 2 % 32), byte % 2 == 0 ? "" : "changed"))
        } else if byte % 8 == 0, !days.contains(where: { $0.name == name }) {
          days.append(Day(name, []))
        }
      }
      return Days(sections: days)
    }
  guard snapshots.count == 2 else { return nil }
  return StagingOracle.complaint(
    about: snapshots[0].batches(to: snapshots[1]), from: snapshots[0], to: snapshots[1])
}
