public import AsyncKnot
public import AsyncOptical
public import Testing

/// Sends requests to an opticle and has the test state every change that follows.
///
/// ```swift
/// let probe = OpticleProbe(Feed(service: .stub(["a"])))
/// probe.send(.load)
/// await probe.expect { $0.isLoading = true }
/// await probe.expect { $0.isLoading = false; $0.titles = ["a"] }
/// await probe.finish()
/// ```
/// A change that differs, does not come, or is left unasserted fails the test with a readable difference;
/// so does work that is in flight at the end. Sleeping is up to the opticle's clock: give it a `TestClock`.
public final class OpticleProbe<Subject: Opticle>: Sendable where Subject.State: Equatable {
  /// What is probed.
  public let opticle: Subject

  private let log: ProbeLog<CommitCause<Subject.Request, Subject.Response>, Subject.State>

  /// Probes an opticle from now on.
  ///
  /// - Parameters:
  ///   - opticle: What is probed.
  ///   - sourceLocation: Where the probe is made, for what it finds when it is dropped.
  public init(_ opticle: Subject, sourceLocation: SourceLocation = #_sourceLocation) {
    self.opticle = opticle
    log = ProbeLog(opticle.probePort, from: opticle.state, sourceLocation)
  }

  /// Sends a request; what was not asserted before fails here.
  ///
  /// - Parameters:
  ///   - request: What is asked for.
  ///   - sourceLocation: Where an issue is recorded.
  public func send(_ request: Subject.Request, sourceLocation: SourceLocation = #_sourceLocation) {
    log.expectNoMore("before send(\(request))", sourceLocation)
    opticle.send(request)
  }

  /// Waits for the next change and compares what it led to.
  ///
  /// It does not wait once everything that was sent is carried out.
  ///
  /// - Parameters:
  ///   - sourceLocation: Where an issue is recorded.
  ///   - change: What should happen to the state that was asserted last.
  /// - Returns: The transition, to look at its cause; `nil` where none came.
  @discardableResult
  nonisolated(nonsending) public func expect(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout Subject.State) -> Void
  ) async -> Transition<CommitCause<Subject.Request, Subject.Response>, Subject.State>? {
    await log.expect(sourceLocation, change)
  }

  /// Ends the probing: changes that were not asserted fail, and so does work in flight.
  ///
  /// - Parameter sourceLocation: Where an issue is recorded.
  public func finish(sourceLocation: SourceLocation = #_sourceLocation) async {
    await log.finish(sourceLocation)
  }
}
