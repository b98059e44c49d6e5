import Foundation

/// Measures how many bytes `work` adds to the resident size, when the work has ended and at the peak.
///
/// Returns `nil` on platforms other than Linux.
public func memory(_ work: () -> Void) -> (kept: Int, peak: Int)? {
  // Writing 5 resets the peak to the current size.
  guard let before = residentSize(),
    (try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)) != nil
  else { return nil }
  work()
  guard let peak = size("VmHWM"), let after = residentSize() else { return nil }
  return (after - before, peak - before)
}

/// Returns freed memory to the system, and then measures the resident size.
///
/// Otherwise, work that reuses freed memory would seem to add none.
private func residentSize() -> Int? {
  #if canImport(Glibc)
    _ = giveBack(0)
  #endif
  return size("VmRSS")
}

private func size(_ name: String) -> Int? {
  guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
    let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) })
  else { return nil }
  return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
}

#if canImport(Glibc)
  @_silgen_name("malloc_trim")
  private func giveBack(_ padding: Int) -> CInt
#endif
