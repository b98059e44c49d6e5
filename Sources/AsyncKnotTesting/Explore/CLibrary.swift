// The C library is linked anyway. Naming its two functions spares the kit an import per platform.

@_silgen_name("getenv")
private func getenv(_ name: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>?

@_silgen_name("pthread_self")
private func pthread_self() -> UInt

/// The value of an environment variable.
func environmentVariable(_ name: String) -> String? {
  guard let value = unsafe getenv(name) else { return nil }
  return unsafe String(cString: value)
}

/// Tells the current thread from all others that run; never 0.
func currentThread() -> UInt { pthread_self() }
