#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The reason why a log cannot be read.
enum SourceError: Error, Hashable, CustomStringConvertible {
  case missing(String)
  case isDirectory(String)
  case notPermitted(String)
  case failed(String, code: Int32)

  init(_ path: String, code: Int32) {
    switch code {
    case ENOENT, ENOTDIR: self = .missing(path)
    case EISDIR: self = .isDirectory(path)
    case EACCES, EPERM: self = .notPermitted(path)
    default: self = .failed(path, code: code)
    }
  }

  var description: String {
    switch self {
    case .missing(let path): "\(path): no such file"
    case .isDirectory(let path): "\(path): is a directory, not a log file"
    case .notPermitted(let path): "\(path): not permitted to read it"
    case .failed(let path, let code): "\(path): \(String(cString: strerror(code)))"
    }
  }
}
