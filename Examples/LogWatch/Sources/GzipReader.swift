#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A running `gzip -cd`, and the descriptor that gives what it unpacks; whoever keeps it calls `finish`.
struct GzipReader {
  let descriptor: Int32
  private let process: pid_t

  init(_ path: String) throws(SourceError) {
    // gzip would only tell on its standard error.
    guard access(path, R_OK) == 0 else { throw SourceError(path, code: errno) }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw SourceError(path, code: errno) }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addclose(&actions, ends[1])
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    let words = ["gzip", "-cd", "--", path]
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer {
      posix_spawn_file_actions_destroy(&actions)
      for argument in arguments { free(argument) }
    }
    var process: pid_t = 0
    let failure = posix_spawnp(&process, "gzip", &actions, nil, arguments, environ)
    _ = close(ends[1])
    descriptor = ends[0]
    self.process = process
    if failure != 0 {
      _ = close(ends[0])
      throw .failed("\(path): gzip", code: failure)
    }
  }

  /// Waits for gzip after the end of what it gives.
  ///
  /// - Returns: Whether all of the file could be unpacked.
  func finish() -> Bool {
    _ = close(descriptor)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status == 0
  }
}
