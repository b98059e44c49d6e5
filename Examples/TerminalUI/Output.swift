#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Writes to a descriptor without losing bytes.
package enum Output {
  /// The error if nothing more can be written.
  ///
  /// Its code is `EPIPE` if the reader has closed the pipe.
  package struct Failure: Error, Hashable {
    package var code: Int32
    package var isBrokenPipe: Bool { code == EPIPE }
  }

  /// Makes `write` fail after the reader has closed the pipe, instead of letting a signal end the process.
  package static func reportBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Writes all of `text`, and waits for a slow reader.
  package static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) throws(Failure) {
    var text = text
    let code = text.withUTF8 { bytes -> Int32 in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = systemWrite(descriptor, UnsafeBufferPointer(rebasing: rest))
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
          var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = poll(&wait, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
    }
    if code != 0 { throw Failure(code: code) }
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
