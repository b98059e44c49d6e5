// Each platform has a different module for the C library, so `fopen` and the other functions of that library come from the header
// of the C target.
private import ExploreTestingRuntime

/// Returns the value of an environment variable; `nil` if it is not set.
func environmentVariable(_ name: String) -> String? {
  guard let value = unsafe getenv(name) else { return nil }
  return unsafe String(cString: value)
}

/// The folder for temporary files.
var temporaryFolder: String { environmentVariable("TMPDIR") ?? "/tmp" }

/// Writes a file and returns whether all of the text was written.
func writeFile(_ text: String, at path: String) -> Bool {
  guard let file = unsafe fopen(path, "w") else { return false }
  let isWritten = unsafe fputs(text, file) >= 0
  return unsafe fclose(file) == 0 && isWritten
}

/// Reads the first megabyte of a file; `nil` if the file cannot be opened.
func readFile(at path: String) -> String? {
  guard let file = unsafe fopen(path, "r") else { return nil }
  defer { _ = unsafe fclose(file) }
  return unsafe text { unsafe fread($0.baseAddress, 1, $0.count, file) }
}

/// Runs a shell command and returns the first megabyte of its output; empty if it cannot run.
func outputOfCommand(_ command: String) -> String {
  guard let file = unsafe knot_open_command(command) else { return "" }
  defer { unsafe knot_close_command(file) }
  return unsafe text { unsafe fread($0.baseAddress, 1, $0.count, file) }
}

/// Copies a string that C allocated, and frees it.
func takeText(_ text: UnsafeMutablePointer<CChar>?) -> String? {
  defer { unsafe free(text) }
  return unsafe text.map { unsafe String(cString: $0) }
}

private func text(_ read: (UnsafeMutableBufferPointer<UInt8>) -> Int) -> String {
  let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 20) { unsafe $1 = read($0) }
  return String(decoding: bytes, as: UTF8.self)
}

/// Writes to standard error without taking the lock of `stderr`, because another thread may hold that lock.
func writeError(_ text: String) {
  var text = text
  text.withUTF8 { bytes in
    guard let start = bytes.baseAddress else { return }
    _ = unsafe write(2, start, bytes.count)
  }
}
