internal import Synchronization

/// A watching of any value, as its control and the crowd know it.
protocol AnyWatching: AnyObject, Sendable {
  /// Delivers from now on, the newest value first; while it delivers it does nothing.
  func resume()

  /// Delivers nothing until `resume()`.
  func pause()

  /// Ends the watching for good, and lets its handler go.
  func end()

  /// Ends a watching that nobody can resume any more.
  func endIfPaused()

  /// Has the loop look, on the handler's isolation, whether the handler's object is still there.
  func check()
}

/// The watchings of one holder whose handlers work on objects that are not kept alive.
///
/// Nothing tells of the end of an object, and a holder that rests delivers nothing that would show it.
/// So each new watching has two older ones look after their objects, and each one that finds its object
/// gone does so, too. That keeps the number of those who are gone below the number of those who are there.
/// The look is left to the watching: here it could be the last reference to an object of another isolation.
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

  /// Adds a watching, and has two others look after their objects.
  func add(_ watching: any AnyWatching) {
    check()
    table.withLock { $0.places.append(Place(watching: watching)) }
  }

  /// Has two watchings look after their objects.
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
