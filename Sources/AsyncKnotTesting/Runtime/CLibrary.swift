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
  let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
    count = unsafe fread(buffer.baseAddress, 1, buffer.count, file)
  }
  return String(decoding: bytes, as: UTF8.self)
}
