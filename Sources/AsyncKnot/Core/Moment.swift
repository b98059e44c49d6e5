/// The states of several cores at one moment, and the work to do after the locks are released.
///
/// A moment uses one reading of each core, and reads all roots before any other core.
final class Moment {
  final class Reading<State> {
    let state: State
    let version: UInt64

    init(_ state: State, _ version: UInt64) { (self.state, self.version) = (state, version) }
  }

  /// The holders' cores, which are read before any state is computed.
  var roots: [any Upstream] = []

  private var readings: [(core: ObjectIdentifier, reading: AnyObject)] = []
  private var due: [() -> Void] = []

  func reading<State>(of core: KnotCore<State>) -> Reading<State> {
    if let known = readings.first(where: { $0.core == ObjectIdentifier(core) }) {
      return unsafe unsafeDowncast(known.reading, to: Reading<State>.self)
    }
    // The closure does not return both values as a tuple, because generic code looks up the type of a tuple at runtime.
    var version: UInt64 = 0
    let state = core.withStorage { storage in
      version = storage.version
      return storage.state
    }
    let reading = Reading(state, version)
    readings.append((ObjectIdentifier(core), reading))
    return reading
  }

  /// Reads all roots, and repeats the readings until no root has changed between the first reading and the last.
  ///
  /// Only a change of a holder causes a repetition, so concurrent readers never make each other repeat their readings.
  func readRoots() {
    guard roots.count > 1 else { return }
    var versions: [UInt64]
    repeat {
      restart()
      versions = roots.map { $0.read(at: self) }
    } while !zip(roots, versions).allSatisfy { $0.version == $1 }
  }

  /// Forgets the readings, which may be outdated now that the locks are released.
  ///
  /// `settle()` releases the states of the readings later, because the caller may hold other locks now (S18).
  func restart() {
    afterwards { [readings] in withExtendedLifetime(readings) {} }
    readings = []
  }

  func afterwards(_ body: @escaping () -> Void) { due.append(body) }

  /// Calls `body` and then the closures passed to `afterwards`.
  ///
  /// The caller must not hold a lock.
  static func settling<Result>(_ body: (Moment) -> Result) -> Result {
    let moment = Moment()
    defer { moment.settle() }
    return body(moment)
  }

  private func settle() {
    Reducer.carryOutEndings()
    Spawn.preemptionPoint()
    for body in due { body() }
  }
}
