import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Restores the terminal when the process exits, traps, or gets one of the `deadly` signals.
///
/// A program that traps, or that a signal kills, never reaches its `defer` statements. So a signal handler restores the terminal
/// with `tcsetattr` and `write`, which are allowed in signal handlers.
enum Rescue {
  private struct Plan {
    var descriptor: Int32 = -1
    var settings = termios()
    var farewell: UnsafeBufferPointer<UInt8> = .init(start: nil, count: 0)
  }

  /// Only the thread that moves `phase` away from `idle` or `armed` accesses the plan.
  private nonisolated(unsafe) static let plan = {
    let plan = UnsafeMutablePointer<Plan>.allocate(capacity: 1)
    plan.initialize(to: Plan())
    return plan
  }()
  private static let phase = Atomic<Int>(idle)
  private static let idle = 0
  private static let busy = 1
  private static let armed = 2
  private static let deadly = [
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE,
  ]

  /// Prepares to restore `settings` and write `farewell` when the process ends.
  ///
  /// - Returns: `false` if another terminal of this process is already armed.
  static func arm(_ descriptor: Int32, settings: termios, farewell: [UInt8]) -> Bool {
    guard phase.compareExchange(expected: idle, desired: busy, ordering: .acquiring).exchanged
    else { return false }
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: farewell.count)
    _ = bytes.initialize(from: farewell)
    plan.pointee = Plan(
      descriptor: descriptor, settings: settings, farewell: UnsafeBufferPointer(bytes))
    phase.store(armed, ordering: .releasing)
    _ = installed
    return true
  }

  /// Restores the terminal, unless it was already restored.
  static func restore() {
    guard phase.compareExchange(expected: armed, desired: busy, ordering: .acquiring).exchanged
    else { return }
    let farewell = plan.pointee.farewell
    _ = write(plan.pointee.descriptor, farewell.baseAddress, farewell.count)
    _ = tcsetattr(plan.pointee.descriptor, TCSANOW, &plan.pointee.settings)
    phase.store(idle, ordering: .releasing)
  }

  /// Installs the handlers when it is first used.
  ///
  /// A signal that is ignored, for example because of `nohup`, stays ignored.
  private static let installed: Void = {
    atexit { Rescue.restore() }
    for number in deadly {
      let previous = signal(number) { number in
        Rescue.restore()
        _ = signal(number, SIG_DFL)
        _ = raise(number)
      }
      if unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        _ = signal(number, SIG_IGN)
      }
    }
  }()
}
