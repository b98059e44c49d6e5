internal import ExploreTestingRuntime

/// The functions and source lines at code addresses.
///
/// `llvm-symbolizer`, which is part of the Swift toolchain, or `addr2line` finds them. If neither tool is installed, there are no
/// names; without debug information, there are no line numbers.
struct Symbols: Sendable {
  /// A function and a line in it.
  struct Place: Sendable {
    let function: FunctionName
    /// The file and line, for example `Account.swift:7`; `nil` if they are unknown.
    let line: String?
    /// The file and line where the function begins; `nil` if the tool does not say.
    var start: String?
  }

  private var places: [UInt: Place] = [:]

  init(_ places: [UInt: Place] = [:]) { self.places = places }

  /// The places that a tool has found, by address; `nil` for an address at which it found no function that a report shows.
  ///
  /// Each call of a tool takes 0.15 s, and the reports of one test process often contain the same addresses.
  private static let known = OwnMutex<[UInt: Place?]>([:])

  init(of addresses: some Sequence<UInt>) {
    let known = Self.known.withLock { $0 }
    var files: [String: [(address: UInt, offset: UInt)]] = [:]
    for address in Set(addresses) {
      if let place = known[address] {
        places[address] = place
        continue
      }
      var offset: UInt = 0
      guard let pointer = unsafe UnsafeRawPointer(bitPattern: address),
        let path = unsafe knot_file(pointer, &offset)
      else { continue }
      files[unsafe String(cString: path), default: []].append((address, offset))
    }
    for (path, addresses) in files where find(addresses, in: path) {
      let found = addresses.map { ($0.address, places[$0.address]) }
      Self.known.withLock { $0.merge(found) { $1 } }
    }
  }

  /// Asks a tool for the places of addresses in a file, and returns whether it answered.
  private mutating func find(
    _ addresses: [(address: UInt, offset: UInt)], in path: String
  ) -> Bool {
    // In the tool's process, `/proc/self` would be the tool itself.
    let file = path.replacing("/proc/self", with: "/proc/\(getpid())")
      .replacing("'", with: "'\\''")
    let offsets = addresses.map { "0x" + String($0.offset, radix: 16) }.joined(separator: " ")
    let output = outputOfCommand(
      """
      { llvm-symbolizer -e '\(file)' --functions=linkage --no-demangle --no-inlines --output-style=JSON \
      \(offsets) \
      || addr2line -f -e '\(file)' \(offsets); } 2>/dev/null
      """)
    if output.first == "[" {
      let entries = output.split(separator: "{\"Address\"").dropFirst()
      for (entry, (address, _)) in zip(entries, addresses) {
        add(address, name: field("FunctionName", of: entry), source: source("", of: entry))
        let start = Place.line(of: source("Start", of: entry))
        places[address]?.start = start
      }
      return entries.count == addresses.count
    }
    // addr2line writes two lines for each address.
    var lines = output.split(separator: "\n")[...]
    for (address, _) in addresses {
      guard let name = lines.popFirst(), let source = lines.popFirst() else { return false }
      add(address, name: name, source: source)
    }
    return true
  }

  private mutating func add(_ address: UInt, name: Substring, source: Substring) {
    // Skip C++ functions of the runtime, which mean nothing to a reader.
    guard name != "??", !name.isEmpty, !name.hasPrefix("_Z") else { return }
    let place = Place(name: String(name), source: source)
    if !place.function.isGlue { places[address] = place }
  }

  /// The value of a JSON field without its quotes.
  ///
  /// No symbol name contains a quote.
  private func field(_ name: String, of entry: Substring) -> Substring {
    guard let range = entry.firstRange(of: "\"\(name)\":") else { return "" }
    let value = entry[range.upperBound...]
    return value.first == "\""
      ? value.dropFirst().prefix { $0 != "\"" } : value.prefix { $0.isNumber }
  }

  private func source(_ prefix: String, of entry: Substring) -> Substring {
    "\(field(prefix + "FileName", of: entry)):\(field(prefix + "Line", of: entry))"
  }

  /// The innermost of the user's functions at these addresses.
  func innermost(_ addresses: [UInt]) -> Place? { addresses.lazy.compactMap(own).first }

  /// The outermost of the user's functions at these addresses.
  func outermost(_ addresses: [UInt]) -> Place? {
    let places = addresses.reversed().compactMap(own)
    // A thunk that forwards to a closure has the closure's name, but no line.
    return places.first {
      $0.start != nil && $0.function.description == places[0].function.description
    } ?? places.first
  }

  /// The outermost of this package's functions at these addresses, in which a task of the package started.
  func ownStart(_ addresses: [UInt]) -> Place? {
    addresses.reversed().lazy.compactMap { places[$0] }.first { $0.function.isInPackage }
  }

  /// The library function that the user's innermost function called.
  func called(_ addresses: [UInt]) -> Place? {
    addresses.prefix { own($0) == nil }.reversed().lazy.compactMap { places[$0] }.first
  }

  private func own(_ address: UInt) -> Place? {
    places[address].flatMap { $0.function.isOurs ? nil : $0 }
  }
}

extension Symbols.Place {
  /// Reads a tool's output for one address: the mangled name, and a path with a line number.
  fileprivate init(name: String, source: Substring) {
    function = FunctionName(demangled: unsafe takeText(knot_demangled(name)) ?? name)
    line = Self.line(of: source)
  }

  /// The file name and line number of a path with a line number.
  static func line(of source: Substring) -> String? {
    let parts = source.split(separator: "/").last?.split(separator: ":") ?? []
    let number = parts.dropFirst().first.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
    // The expansion of a macro has its own file, which the user never sees.
    return number > 0 && parts[0].first != "@" ? "\(parts[0]):\(number)" : nil
  }
}

extension KnotTask {
  /// Reads a task, which may have been freed; `nil` if there is none at the address.
  init?(at address: UInt) {
    unsafe self.init()
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address),
      unsafe knot_read_task(pointer, &self)
    else { return nil }
  }

  /// The functions in which the task is suspended, innermost first.
  var functions: [UInt] { unsafe addresses(of: frames, count) }

  /// The name passed to `Task(name:)`.
  var givenName: String? {
    let text = unsafe withUnsafeBytes(of: name) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return text.isEmpty ? nil : text
  }
}

/// The address of an object, by which the runtime identifies it.
func address(of object: AnyObject) -> UInt {
  unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
}

/// The addresses in a C array, which Swift imports as a tuple.
func addresses<Array>(of array: Array, _ count: Int) -> [UInt] {
  unsafe withUnsafeBytes(of: array) { bytes in
    unsafe bytes.bindMemory(to: UInt.self).prefix(count).filter { $0 != 0 }
  }
}
