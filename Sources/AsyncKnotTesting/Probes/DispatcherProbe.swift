internal import AsyncKnot
public import AsyncOptical
internal import ExploreTesting
internal import Synchronization
public import Testing

/// Sends requests to an opticle or commands to a binder, and checks each change that follows.
///
/// ```swift
/// let probe = OpticleProbe(Feed(service: FeedService { ["a", "b"] }))
/// probe.send(.load)
/// await probe.expect { $0.titles = ["a", "b"] }
/// probe.send(.clear)
/// await probe.expect { $0.titles = [] }
/// await probe.finish()
/// ```
/// If a change differs from the assertion, the test fails with an issue that shows the difference. The test also fails if a
/// change is missing, if a change was not asserted, or if a message is still being handled at the end. If the subject sleeps,
/// give it a `TestClock`.
///
/// Write the type as ``OpticleProbe`` or ``BinderProbe``. You can use a probe from any isolation.
public final class DispatcherProbe<Subject: Dispatcher>: Sendable where Subject.State: Equatable {
  /// The opticle or the binder under test.
  public let subject: Subject

  let port: ProbePort<Subject.ChangeCause, Subject.State>
  /// The number of messages that the probe has reported as still in flight since the last `send`.
  let reported = Atomic(0)
  /// The last messages, at most five, that the probe has sent since the last time at which no message was in flight.
  let sent = Mutex<[String]>([])
  let sourceLocation: SourceLocation

  /// Starts recording the changes of an opticle or a binder.
  ///
  /// - Parameters:
  ///   - subject: The opticle or the binder.
  ///   - sourceLocation: The location of an issue that is found when the probe is released.
  public init(_ subject: Subject, sourceLocation: SourceLocation = #_sourceLocation) {
    self.subject = subject
    port = subject.probePort
    self.sourceLocation = sourceLocation
  }

  deinit {
    expectNoMore("before the probe was released", sourceLocation)
    expectNothingInFlight(sourceLocation)
  }

  /// Sends a request or a command, and returns before it is handled.
  ///
  /// This method also records an issue for each earlier change that the test has not asserted. An issue that the subject records
  /// while it handles the message belongs to the test that called `send`. Outside an exploration, this does not hold while the
  /// subject handles messages that were not sent through the probe.
  ///
  /// - Parameters:
  ///   - message: The request or the command.
  ///   - sourceLocation: Where an issue is recorded.
  public func send(
    _ message: Subject.Dispatched, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let text = "\(message)"
    expectNoMore("before send(\(text))", sourceLocation)
    reported.store(0, ordering: .relaxed)
    let isFirst = port.unfinishedCount == 0
    sent.withLock { $0 = (isFirst ? [] : $0.suffix(4)) + [text.clipped(to: 80)] }
    Spawn.$isProbed.withValue(true) { subject.send(message) }
  }

  /// Waits for the next change and compares its state with the expected one.
  ///
  /// If all messages have been handled without another change, the method records an issue and returns `nil`. If the task is
  /// cancelled, the method returns `nil` without an issue.
  ///
  /// - Parameters:
  ///   - sourceLocation: Where an issue is recorded.
  ///   - change: Turns the state before the change into the expected one.
  /// - Returns: The transition with its cause; `nil` if no change followed.
  @discardableResult
  nonisolated(nonsending) public func expect(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout Subject.State) -> Void
  ) async -> Transition<Subject.ChangeCause, Subject.State>? {
    guard let transition = await next() else {
      guard !Task.isCancelled else { return nil }
      Verdict.record(
        "expected a change, but no message is in flight anymore",
        sourceLocation: sourceLocation)
      return nil
    }
    var expected = transition.before
    change(&expected)
    if !areSame(expected, transition.after) {
      let lines = StateDifference(from: expected, to: transition.after).description
      Verdict.record(
        "\(transition.causeText) led to a different state (expected → actual):\n\(lines)",
        sourceLocation: sourceLocation)
    }
    return transition
  }

  /// Ends the probe, and records an issue for each change that was not asserted.
  ///
  /// If messages are still being handled, the method records another issue.
  ///
  /// The method lets other tasks run first, so that a handler that has made its last change can return. Outside an exploration,
  /// it yields a limited number of times.
  ///
  /// - Parameter sourceLocation: Where an issue is recorded.
  public func finish(sourceLocation: SourceLocation = #_sourceLocation) async {
    await untilIdleOrYields()
    // A handler that has committed its last change may not have returned yet.
    await untilIdle(while: port.unfinishedCount > 0)
    expectNoMore("before finish()", sourceLocation)
    expectNothingInFlight(sourceLocation)
  }
}

/// A probe of an opticle: the test asserts each change that follows a request.
///
/// ```swift
/// let probe = OpticleProbe(Feed(service: FeedService { ["a", "b"] }))
/// probe.send(.load)
/// await probe.expect { $0.titles = ["a", "b"] }
/// await probe.finish()
/// ```
/// ``DispatcherProbe`` describes what the probe checks.
public typealias OpticleProbe<Subject: Opticle> = DispatcherProbe<Subject>
where Subject.State: Equatable

/// A probe of a binder: the test asserts each change that follows a command.
///
/// Use a binder probe like an ``OpticleProbe``. ``DispatcherProbe`` describes what the probe checks.
public typealias BinderProbe<Subject: ViewBindable> = DispatcherProbe<Subject>
where Subject.State: Equatable
