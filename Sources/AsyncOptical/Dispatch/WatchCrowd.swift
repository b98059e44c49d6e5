internal import Synchronization

/// A watching of any value, as its control and the crowd use it.
protocol AnyWatching: AnyObject, Sendable {
  /// Delivers from now on, the newest value first; does nothing while the watching delivers.
  func resume()

  /// Delivers nothing until `resume()`.
  func pause()

  /// Ends the watching for good and releases its handler.
  func end()

  /// Ends the watching if it is paused; called when no control can resume it any more.
  func endIfPaused()

  /// Makes the loop check, on the handler's isolation, whether the handler's object is still there.
  func check()
}

/// The watchings of one holder whose handlers work on objects that are held weakly.
///
/// Swift does not report the end of an object, and a holder that does not change delivers no value
/// that would show it. So each new watching makes two older ones check their objects, and so does
/// each watching that finds its object gone. Thereby fewer watchings remain whose object is gone
/// than watchings whose object is there. Each watching checks on its own isolation: a reference
/// made here could be the last one to an object of another isolation.
@usableFromInline
final class WatchCrowd: Sendable {
  private struct Place {
    weak var watching: (any AnyWatching)?
  }

  private struct Table {
    var places: [Place] = []
    var next = 0
  }

  private let table = Mutex(Table())

  @usableFromInline
  init() {}

  /// Adds a watching and makes two others check their objects.
  func add(_ watching: any AnyWatching) {
    check()
    table.withLock { $0.places.append(Place(watching: watching)) }
  }

  /// Makes two watchings check their objects.
  func check() {
    let checked = table.withLock { table -> [any AnyWatching] in
      var checked: [any AnyWatching] = []
      for _ in 0..<4 where !table.places.isEmpty && checked.count < 2 {
        if table.next >= table.places.count { table.next = 0 }
        if let watching = table.places[table.next].watching {
          checked.append(watching)
          table.next += 1
        } else {
          table.places.swapAt(table.next, table.places.count - 1)
          table.places.removeLast()
        }
      }
      return checked
    }
    for watching in checked { watching.check() }
  }
}
