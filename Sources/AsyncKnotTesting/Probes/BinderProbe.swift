public import AsyncKnot
public import AsyncOptical
public import Testing

/// Sends commands to a binder and has the test state every change that follows.
///
/// ```swift
/// let probe = BinderProbe(SampleBinder())
/// probe.send(.fetch)
/// await probe.expect { $0.value = "test" }
/// await probe.finish()
/// ```
/// It promises what `OpticleProbe` promises.
public final class BinderProbe<Subject: ViewBindable>: Sendable where Subject.State: Equatable {
  /// What is probed.
  public let binder: Subject

  private let log: ProbeLog<ActionCause<Subject.Action>, Subject.State>

  /// Probes a binder from now on.
  ///
  /// - Parameters:
  ///   - binder: What is probed.
  ///   - sourceLocation: Where the probe is made, for what it finds when it is dropped.
  public init(_ binder: Subject, sourceLocation: SourceLocation = #_sourceLocation) {
    self.binder = binder
    log = ProbeLog(binder.probePort, from: binder.state, sourceLocation)
  }

  /// Sends a command; what was not asserted before fails here.
  ///
  /// - Parameters:
  ///   - command: What is asked for.
  ///   - sourceLocation: Where an issue is recorded.
  public func send(_ command: Subject.Command, sourceLocation: SourceLocation = #_sourceLocation) {
    log.expectNoMore("before send(\(command))", sourceLocation)
    binder.send(command)
  }

  /// Waits for the next change and compares what it led to.
  ///
  /// - Parameters:
  ///   - sourceLocation: Where an issue is recorded.
  ///   - change: What should happen to the state that was asserted last.
  /// - Returns: The transition, to look at its cause; `nil` where none came.
  @discardableResult
  nonisolated(nonsending) public func expect(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout Subject.State) -> Void
  ) async -> Transition<ActionCause<Subject.Action>, Subject.State>? {
    await log.expect(sourceLocation, change)
  }

  /// Ends the probing: changes that were not asserted fail, and so does work in flight.
  ///
  /// - Parameter sourceLocation: Where an issue is recorded.
  public func finish(sourceLocation: SourceLocation = #_sourceLocation) async {
    await log.finish(sourceLocation)
  }
}
