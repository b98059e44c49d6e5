import Foundation

/// The memory that work adds at its peak, in bytes: the growth of the resident size above what it was.
///
/// Linux only; elsewhere nil.
public func peakMemory(_ work: () -> Void) -> Int? {
  #if canImport(Glibc)
    // Gives back what earlier work freed, which would be used again unseen.
    _ = giveBack(0)
  #endif
  // Writing 5 sets the peak back to the current size.
  guard
    (try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)) != nil,
    let before = residentPeak()
  else { return nil }
  work()
  return residentPeak().map { $0 - before }
}

private func residentPeak() -> Int? {
  guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
    let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM") })
  else { return nil }
  return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
}

#if canImport(Glibc)
  @_silgen_name("malloc_trim")
  private func giveBack(_ padding: Int) -> CInt
#endif
