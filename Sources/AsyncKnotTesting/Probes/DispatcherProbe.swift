internal import AsyncKnot
public import AsyncOptical
public import Testing

/// Sends requests to an opticle, or commands to a binder, and has the test state every change that follows.
///
/// ```swift
/// let probe = OpticleProbe(Feed(service: .stub(["a"])))
/// probe.send(.load)
/// await probe.expect { $0.isLoading = true }
/// await probe.expect { $0.isLoading = false; $0.titles = ["a"] }
/// await probe.finish()
/// ```
/// A change that differs, does not come, or is left unasserted fails the test with a readable difference;
/// so does work that is in flight at the end. Sleeping is up to the subject's clock: give it a `TestClock`.
///
/// It is also called `OpticleProbe` and `BinderProbe`.
public final class DispatcherProbe<Subject: Dispatcher>: Sendable where Subject.State: Equatable {
  /// What is probed.
  public let subject: Subject

  private let log: ProbeLog<Subject.ChangeCause, Subject.State>

  /// Probes an opticle or a binder from now on.
  ///
  /// - Parameters:
  ///   - subject: What is probed.
  ///   - sourceLocation: Where the probe is made, for what it finds when it is dropped.
  public init(_ subject: Subject, sourceLocation: SourceLocation = #_sourceLocation) {
    self.subject = subject
    log = ProbeLog(subject.probePort, from: subject.state, sourceLocation)
  }

  /// Sends a request or a command; what was not asserted before fails here.
  ///
  /// An issue that is recorded while it is handled counts for the test that called this.
  ///
  /// - Parameters:
  ///   - message: What is asked for.
  ///   - sourceLocation: Where an issue is recorded.
  public func send(
    _ message: Subject.Dispatched, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    log.expectNoMore("before send(\(message))", sourceLocation)
    Spawn.$isProbed.withValue(true) { subject.send(message) }
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
  ) async -> Transition<Subject.ChangeCause, Subject.State>? {
    await log.expect(sourceLocation, change)
  }

  /// Ends the probing: changes that were not asserted fail, and so does work in flight.
  ///
  /// - Parameter sourceLocation: Where an issue is recorded.
  public func finish(sourceLocation: SourceLocation = #_sourceLocation) async {
    await log.finish(sourceLocation)
  }
}

/// A probe of an opticle.
public typealias OpticleProbe<Subject: Opticle> = DispatcherProbe<Subject>
where Subject.State: Equatable

/// A probe of a binder.
public typealias BinderProbe<Subject: ViewBindable> = DispatcherProbe<Subject>
where Subject.State: Equatable

extension DispatcherProbe where Subject: Opticle {
  /// What is probed.
  public var opticle: Subject { subject }
}

extension DispatcherProbe where Subject: ViewBindable {
  /// What is probed.
  public var binder: Subject { subject }
}
