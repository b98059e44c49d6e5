#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Raises this process's limit of open files, as far as the system allows.
///
/// Each connection uses an open file, and the default limit is 1,024 or less.
public func allowFiles(_ count: Int) {
  var limit = rlimit()
  #if canImport(Darwin)
    let files = RLIMIT_NOFILE
  #else
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #endif
  guard unsafe getrlimit(files, &limit) == 0, limit.rlim_cur < count else { return }
  limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
  unsafe setrlimit(files, &limit)
}
