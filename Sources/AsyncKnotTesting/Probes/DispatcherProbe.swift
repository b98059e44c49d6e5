internal import AsyncKnot
public import AsyncOptical
internal import ExploreTesting
internal import Synchronization
public import Testing

/// Sends requests to an opticle, or commands to a binder; the test states every change that follows.
///
/// ```swift
/// let probe = OpticleProbe(Feed(service: FeedService { ["a", "b"] }))
/// probe.send(.load)
/// await probe.expect { $0.titles = ["a", "b"] }
/// probe.send(.clear)
/// await probe.expect { $0.titles = [] }
/// await probe.finish()
/// ```
/// A change that differs from what the test states fails the test, and the issue shows the difference. So
/// does a change that does not come, a change that the test does not state, and a message that is still
/// being handled at the end. If the subject sleeps, give it a `TestClock`.
///
/// Write its name as ``OpticleProbe`` or ``BinderProbe``. A probe may be used from any isolation.
public final class DispatcherProbe<Subject: Dispatcher>: Sendable where Subject.State: Equatable {
  /// The opticle or the binder.
  public let subject: Subject

  let port: ProbePort<Subject.ChangeCause, Subject.State>
  /// The state after the last change that the test has stated.
  let asserted: Mutex<Subject.State>
  let sourceLocation: SourceLocation

  /// Probes an opticle or a binder from now on.
  ///
  /// - Parameters:
  ///   - subject: The opticle or the binder.
  ///   - sourceLocation: The place at which the probe records what it finds when it is released.
  public init(_ subject: Subject, sourceLocation: SourceLocation = #_sourceLocation) {
    self.subject = subject
    port = subject.probePort
    asserted = Mutex(subject.state)
    self.sourceLocation = sourceLocation
  }

  deinit {
    expectNoMore("when the probe was dropped", sourceLocation)
    expectNothingInFlight(sourceLocation)
  }

  /// Sends a request or a command, and does not wait until it is handled.
  ///
  /// A change from before that the test has not stated is recorded as an issue. An issue that the subject
  /// records while it handles the message counts for the test that called this.
  ///
  /// - Parameters:
  ///   - message: The request or the command.
  ///   - sourceLocation: The place at which an issue is recorded.
  public func send(
    _ message: Subject.Dispatched, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectNoMore("before send(\(message))", sourceLocation)
    Spawn.$isProbed.withValue(true) { subject.send(message) }
  }

  /// Waits for the next change, and compares the state that it led to.
  ///
  /// If all messages are handled and no change has come, it records an issue and returns. When the task is
  /// cancelled, it returns `nil` without an issue.
  ///
  /// - Parameters:
  ///   - sourceLocation: The place at which an issue is recorded.
  ///   - change: Turns the state before the change into the one that is expected after it.
  /// - Returns: The transition with its cause; `nil` if none came.
  @discardableResult
  nonisolated(nonsending) public func expect(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout Subject.State) -> Void
  ) async -> Transition<Subject.ChangeCause, Subject.State>? {
    guard let transition = await next() else {
      // The issue for which a test was cancelled is recorded already.
      guard !Task.isCancelled else { return nil }
      Verdict.record(
        "expected a change, but nothing that was sent is in flight any more",
        sourceLocation: sourceLocation)
      return nil
    }
    let expected = asserted.withLock { state in
      var expected = state
      change(&expected)
      state = transition.after
      return expected
    }
    if expected != transition.after {
      let lines = StateDifference(from: expected, to: transition.after).description
      Verdict.record(
        "\(transition.causeText) led to another state (expected → actual):\n\(lines)",
        sourceLocation: sourceLocation)
    }
    return transition
  }

  /// Ends the probing, and records changes that the test has not stated and messages that are still handled.
  ///
  /// It first lets other tasks run, so that a handler that has made its last change can return; outside of
  /// an exploration for a limited number of yields.
  ///
  /// - Parameter sourceLocation: The place at which an issue is recorded.
  public func finish(sourceLocation: SourceLocation = #_sourceLocation) async {
    await untilIdleOrYields()
    // A handler that has committed its last change has still to return.
    await untilIdle(while: port.unfinishedCount > 0)
    expectNoMore("at the end", sourceLocation)
    expectNothingInFlight(sourceLocation)
  }
}

/// A probe of an opticle: the test states every change that follows a request.
///
/// ```swift
/// let probe = OpticleProbe(Feed(service: FeedService { ["a", "b"] }))
/// probe.send(.load)
/// await probe.expect { $0.titles = ["a", "b"] }
/// await probe.finish()
/// ```
/// What it checks is told by ``DispatcherProbe``.
public typealias OpticleProbe<Subject: Opticle> = DispatcherProbe<Subject>
where Subject.State: Equatable

/// A probe of a binder: the test states every change that follows a command.
///
/// It is used as ``OpticleProbe``; what it checks is told by ``DispatcherProbe``.
public typealias BinderProbe<Subject: ViewBindable> = DispatcherProbe<Subject>
where Subject.State: Equatable
