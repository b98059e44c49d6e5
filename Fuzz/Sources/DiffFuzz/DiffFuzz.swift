import AsyncDiff
import Foundation

/// Checks lists, sections, trees and drags that libFuzzer generates, with the test oracles of AsyncDiff.
///
/// A complaint crashes the program, and libFuzzer saves the input. With `--random COUNT [SEED]`, the program generates `COUNT`
/// random inputs of each kind itself, and then compares `COUNT` states of derived lists. `--lists COUNT [SEED]` compares only the
/// derived lists.
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

/// Checks one input.
///
/// The first byte selects its kind, and the other bytes describe it.
///
/// The function needs this name because libFuzzer's own `main`, which is linked but not called, refers to it.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  if let complaint = complaint(about: UnsafeBufferPointer(start: start, count: count)[...]) {
    fatalError("DiffFuzz: \(complaint)")
  }
  return 0
}

/// Returns the first error that an oracle finds in the result for an input, or `nil`.
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
