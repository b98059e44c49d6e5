import AsyncDiff
import Foundation

/// Lists, sections, trees and drags that libFuzzer makes up, put to the oracles of the tests.
///
/// What an oracle complains about is a crash, whose input libFuzzer leaves behind. With `--random COUNT [SEED]`
/// it draws so many inputs of each kind itself, and counts them; and so many states of derived lists, which
/// `--lists COUNT [SEED]` plays alone.
@main
struct DiffFuzz {
  static func main() async {
    let mode = CommandLine.arguments.dropFirst().first
    if mode == "--random" || mode == "--lists" {
      let numbers = CommandLine.arguments.dropFirst(2).compactMap { UInt64($0) }
      let (count, seed) = (numbers.first ?? 1_000_000, numbers.dropFirst().first ?? 1)
      if mode == "--random" { RandomInputs(seed: seed).play(count) }
      var lists = DerivedLists(seed: seed)
      return await lists.play(count)
    }
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

/// The first byte chooses what is made up; the rest describes it.
///
/// libFuzzer's own `main`, which is linked but not called, wants the name.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  if let complaint = complaint(about: UnsafeBufferPointer(start: start, count: count)[...]) {
    fatalError("DiffFuzz: \(complaint)")
  }
  return 0
}

/// What an oracle says of an input, or nil.
func complaint(about bytes: UnsafeBufferPointer<UInt8>.SubSequence) -> String? {
  var bytes = bytes
  guard let kind = bytes.popFirst() else { return nil }
  return switch kind % 8 {
  case 1: complaintAboutSections(bytes, areUnique: false)
  case 3: complaintAboutSections(bytes, areUnique: true)
  case 5: complaintAboutTree(bytes)
  case 7: complaintAboutDrag(bytes)
  default: complaintAboutLists(bytes, kind / 2)
  }
}
