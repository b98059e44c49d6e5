// Each platform has another module for the C library. The kit declares the few functions that it needs, so
// that it does not import any of them.

@_silgen_name("getenv")
private func getenv(_ name: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>?

@_silgen_name("pthread_self")
private func pthread_self() -> UInt

@_silgen_name("fopen")
private func fopen(_ path: UnsafePointer<CChar>, _ mode: UnsafePointer<CChar>) -> OpaquePointer?

@_silgen_name("fputs")
private func fputs(_ text: UnsafePointer<CChar>, _ file: OpaquePointer) -> Int32

@_silgen_name("fread")
private func fread(
  _ buffer: UnsafeMutableRawPointer?, _ size: Int, _ count: Int, _ file: OpaquePointer
) -> Int

@_silgen_name("fclose")
private func fclose(_ file: OpaquePointer) -> Int32

@_silgen_name("popen")
private func popen(_ command: UnsafePointer<CChar>, _ mode: UnsafePointer<CChar>) -> OpaquePointer?

@_silgen_name("pclose")
private func pclose(_ file: OpaquePointer) -> Int32

@_silgen_name("getpid")
private func getpid() -> Int32

/// The number of this process.
func processNumber() -> Int32 { getpid() }

/// The value of an environment variable.
func environmentVariable(_ name: String) -> String? {
  guard let value = unsafe getenv(name) else { return nil }
  return unsafe String(cString: value)
}

/// A number that no other running thread has; never 0.
func currentThread() -> UInt { pthread_self() }

/// Writes a file.
///
/// - Returns: Whether all of the text was written.
func writeFile(_ text: String, at path: String) -> Bool {
  guard let file = unsafe fopen(path, "w") else { return false }
  let isWritten = unsafe fputs(text, file) >= 0
  return unsafe fclose(file) == 0 && isWritten
}

/// Reads the first megabyte of a file; `nil` if the file cannot be opened.
func readFile(at path: String) -> String? {
  guard let file = unsafe fopen(path, "r") else { return nil }
  defer { _ = unsafe fclose(file) }
  return unsafe text(of: file)
}

/// What a command of the shell writes, at most a megabyte; nothing where it cannot be run.
func outputOfCommand(_ command: String) -> String {
  guard let file = unsafe popen(command, "r") else { return "" }
  defer { _ = unsafe pclose(file) }
  return unsafe text(of: file)
}

private func text(of file: OpaquePointer) -> String {
  let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
    count = unsafe fread(buffer.baseAddress, 1, buffer.count, file)
  }
  return String(decoding: bytes, as: UTF8.self)
}

@_silgen_name("write")
private func write(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int

/// Writes a text to the standard error, without any lock that another thread may hold.
func writeError(_ text: String) {
  var text = text
  text.withUTF8 { bytes in
    guard let start = bytes.baseAddress else { return }
    _ = unsafe write(2, start, bytes.count)
  }
}
