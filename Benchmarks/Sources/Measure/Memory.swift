import Foundation

/// The memory that work adds, in bytes: what it keeps, and the peak, both as the growth of the resident size.
///
/// Linux only; elsewhere nil.
public func memory(_ work: () -> Void) -> (kept: Int, peak: Int)? {
  // Writing 5 sets the peak back to the current size.
  guard let before = residentSize(),
    (try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)) != nil
  else { return nil }
  work()
  guard let peak = size("VmHWM"), let after = residentSize() else { return nil }
  return (after - before, peak - before)
}

/// The size without memory that earlier work freed, because reusing it would not be seen.
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
