import AsyncDiff
import AsyncKnot
import Synchronization
import WebServer

/// The connected pages.
///
/// Nothing is kept about a page that has disconnected.
final class Tabs: Sendable {
  let limit: Int
  private let gateway: Gateway
  private let tabs = Mutex<(last: Int, open: [Int: (EventStream, Task<Void, Never>)])>((0, [:]))

  init(limit: Int, gateway: Gateway) {
    self.limit = limit
    self.gateway = gateway
  }

  var count: Int { tabs.withLock { $0.open.count } }

  /// Starts sending a page the messages that the page does not have.
  ///
  /// - Parameters:
  ///   - known: The revisions of the page, from this gateway or another one.
  ///   - isPacked: Whether the page accepts gzip.
  /// - Returns: The stream of the response; `nil` if there are too many pages.
  func connect(since known: @escaping @Sendable () -> Known, isPacked: Bool) -> EventStream? {
    let number: Int? = tabs.withLock { tabs in
      guard tabs.open.count < limit else { return nil }
      tabs.last += 1
      return tabs.last
    }
    guard let number else { return nil }
    let stream = EventStream(headers: isPacked ? ["Content-Encoding": "gzip"] : [:]) {
      [weak self] in
      self?.forget(number)
    }
    let task = Task { [gateway] in
      await Self.send(from: gateway, to: stream, since: known(), isPacked: isPacked)
    }
    tabs.withLock { $0.open[number] = (stream, task) }
    return stream
  }

  /// Closes every connection.
  func close() {
    for (stream, task) in tabs.withLock({ Array($0.open.values) }) {
      task.cancel()
      stream.finish()
    }
  }

  private func forget(_ number: Int) {
    tabs.withLock { $0.open.removeValue(forKey: number) }?.1.cancel()
  }

  /// Sends steps to a page.
  ///
  /// When the page has read a step, the next step is created from the newest state.
  private static func send(
    from gateway: Gateway, to stream: EventStream, since known: Known, isPacked: Bool
  ) async {
    var known = known
    if isPacked { stream.send(Packed.head) }
    for await state in gateway.states {
      guard stream.isIdle, state.looks > 0 else { continue }
      var isSilent = true
      while let step = await gateway.step(from: known, isPacked: isPacked) {
        known = step.known
        stream.send(contentsOf: step.events)
        isSilent = isSilent && step.events.isEmpty
        guard step.hasMore, await stream.drained() else { break }
      }
      if isSilent, state.looks % 32 == 0 {
        stream.send(isPacked ? FleetEvent.packedBeat : FleetEvent.beat)
      }
    }
  }
}
