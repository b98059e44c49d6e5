internal import Synchronization

/// The elements of a recorder, and the tasks that are waiting for more.
final class RecorderLog<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var end: Recorder<Element>.End?
  }

  private let name: String
  private let state = Mutex(State())
  private let waits = WaitList<Int>()

  init(name: String) { self.name = name }

  var elements: [Element] { state.withLock { $0.elements } }
  var ending: Recorder<Element>.End? { state.withLock { $0.end } }

  func append(_ element: Element) { change { $0.elements.append(element) } }
  func end(_ end: Recorder<Element>.End) { change { $0.end = end } }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    waits.resume(reached: reached)
  }

  /// The number of elements so far; `Int.max` after the end, so that every wait ends.
  private var reached: Int { state.withLock { $0.end == nil ? $0.elements.count : .max } }

  /// Suspends until `count` elements have arrived, the sequence ends or the task is cancelled.
  ///
  /// - Returns: Whether the elements have arrived.
  func reached(_ count: Int, _ what: String) async -> Bool {
    await awaited({ [self] in "\(status); a task waits for \(what)" }) {
      _ = await waits.wait(until: count) { reached }
    }
    return state.withLock { $0.elements.count >= count }
  }

  /// The last elements and the end, on a line of limited length.
  var status: String {
    let (elements, end) = state.withLock { ($0.elements, $0.end) }
    let last = elements.suffix(5).map { shortened("\($0)") }.joined(separator: ", ")
    let ending =
      switch end {
      case nil: ""
      case .finished: ", and the sequence has ended"
      case .failed(let error): ", and the sequence threw \(shortened("\(error)"))"
      }
    let count = counted(elements.count, "element")
    return "\(name) has \(count): [\(elements.count > 5 ? "… " : "")\(last)]\(ending)"
  }
}

/// The text, cut if it is too long for a report.
private func shortened(_ text: String) -> String {
  text.count > 80 ? "\(text.prefix(77))..." : text
}
