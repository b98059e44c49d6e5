internal import AsyncKnotTestingRuntime

/// A function of the user, and an address in it.
struct CodePlace {
  let function: String
  let address: UInt
}

/// The functions and lines at addresses of code; what was found once is kept.
struct Symbols {
  private var names: [UInt: FunctionName] = [:]
  private var lines: [UInt: String] = [:]

  /// The function at an address; `nil` where it has no name.
  mutating func name(of address: UInt) -> FunctionName? {
    if let known = names[address] { return known }
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address),
      let text = unsafe takeText(knot_function_name(pointer))
    else { return nil }
    names[address] = FunctionName(demangled: text)
    return names[address]
  }

  /// The functions at some addresses that are not of a library, each once in a row.
  mutating func places(in addresses: [UInt]) -> [CodePlace] {
    var places: [CodePlace] = []
    for address in addresses {
      guard let name = name(of: address), !name.isOurs else { continue }
      let function = name.description
      if places.last?.function != function {
        places.append(CodePlace(function: function, address: address))
      }
    }
    return places
  }

  /// The file and line at an address, if ``findLines(of:)`` has found it.
  func line(of address: UInt) -> String? { lines[address] }

  /// Asks a tool of the machine for lines.
  ///
  /// It is `llvm-symbolizer`, which is part of the Swift toolchain, or `addr2line`. Where there is neither, or no debug information, there are none.
  mutating func findLines(of addresses: some Sequence<UInt>) {
    var files: [String: [(address: UInt, offset: UInt)]] = [:]
    for address in Set(addresses).sorted() where lines[address] == nil {
      var offset: UInt = 0
      guard let pointer = unsafe UnsafeRawPointer(bitPattern: address),
        let path = unsafe knot_file(pointer, &offset)
      else { continue }
      files[unsafe String(cString: path), default: []].append((address, offset))
    }
    for (path, places) in files {
      // In the process of the tool, "self" is the tool.
      let file = path.replacing("/proc/self", with: "/proc/\(getpid())")
        .replacing("'", with: "'\\''")
      let offsets = places.map { "0x" + String($0.offset, radix: 16) }.joined(separator: " ")
      let output = outputOfCommand(
        """
        { llvm-symbolizer -e '\(file)' --functions=none --no-inlines --output-style=GNU \(offsets) \
        || addr2line -e '\(file)' \(offsets); } 2>/dev/null
        """)
      for (place, text) in zip(places, output.split(separator: "\n")) {
        let parts = text.split(separator: "/").last?.split(separator: ":") ?? []
        guard parts.count > 1, let line = Int(parts[1].prefix { $0.isNumber }), line > 0 else {
          continue
        }
        lines[place.address] = "\(parts[0]):\(line)"
      }
    }
  }
}

extension KnotTask {
  /// Reads a task, which may have been freed; `nil` if the one with this number is not there.
  ///
  /// The number 0 stands for any.
  init?(at address: UInt, number: UInt64 = 0) {
    unsafe self.init()
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address),
      unsafe knot_read_task(pointer, number, &self)
    else { return nil }
  }

  /// Reads a task that is kept alive.
  init?(of task: AnyObject) {
    unsafe self.init(at: UInt(bitPattern: Unmanaged.passUnretained(task).toOpaque()))
  }

  /// The functions in which the task is suspended, from the innermost.
  var functions: [UInt] { unsafe addresses(of: frames, count) }
}

/// The addresses in an array of C, which Swift sees as a tuple.
func addresses<Array>(of array: Array, _ count: Int) -> [UInt] {
  unsafe withUnsafeBytes(of: array) { bytes in
    unsafe bytes.bindMemory(to: UInt.self).prefix(count).filter { $0 != 0 }
  }
}
