import Synchronization

/// Messages for one actor: sent synchronously from anywhere, handled in the order they were sent.
///
/// Handlers *start* in order; one that suspends lets the next one start. The trick that keeps this cheap
/// is a relay. A runner handles message after message without any task of its own for each. Before its
/// first message it queues a successor on the actor. The actor gets to the successor only when the
/// runner has suspended in a handler, or is through; then the successor goes on with the next message.
/// So a burst of handlers that do not suspend costs two tasks, however long it is.
package final class Mailbox<Message: Sendable>: Sendable {
  private struct Incoming {
    var messages = Fifo<Message>()
    /// Whether a runner is on its way, or at work.
    var isRunning = false
  }

  /// What only the actor touches, though the compiler cannot see that: the lock is never contended.
  private struct Outgoing {
    var messages = Fifo<Message>()
    /// The runner at work; one that finds another number here has been relieved.
    var runner = 0
  }

  private let incoming = Mutex(Incoming())
  private let outgoing = Mutex(Outgoing())

  package init() {}

  /// Adds a message; starts a runner when none is at work.
  ///
  /// - Parameters:
  ///   - message: What is sent.
  ///   - holder: The actor that handles it, held weakly until a runner starts.
  ///   - handle: The handler; the same for each message of a mailbox.
  package func send<Holder: Actor>(
    _ message: Message, to holder: Holder,
    _ handle: @escaping @Sendable (isolated Holder, Message) async -> Void
  ) {
    let isFirst = incoming.withLock { incoming in
      incoming.messages.append(message)
      defer { incoming.isRunning = true }
      return !incoming.isRunning
    }
    if isFirst { queueRunner(on: holder, handle) }
  }

  private func queueRunner<Holder: Actor>(
    on holder: Holder, _ handle: @escaping @Sendable (isolated Holder, Message) async -> Void
  ) {
    Spawn.task { [weak holder] in
      guard let holder else { return }
      await self.run(on: holder, handle)
    }
  }

  /// Handles messages until none is left, or until a successor has taken over.
  private func run<Holder: Actor>(
    on holder: isolated Holder,
    _ handle: @escaping @Sendable (isolated Holder, Message) async -> Void
  ) async {
    let runner = outgoing.withLock { outgoing in
      outgoing.runner += 1
      return outgoing.runner
    }
    guard let first = next(for: runner, stopsWhenEmpty: true) else { return }
    queueRunner(on: holder, handle)
    await handle(holder, first)
    while let message = next(for: runner, stopsWhenEmpty: false) {
      await handle(holder, message)
    }
  }

  /// The next message, unless there is none or a successor has taken over.
  ///
  /// A runner that finds none at its start stops the relay, in the critical section in which it looked.
  /// One that finds none later leaves that to the successor it has queued.
  private func next(for runner: Int, stopsWhenEmpty: Bool) -> Message? {
    outgoing.withLock { outgoing in
      guard outgoing.runner == runner else { return nil }
      if outgoing.messages.isEmpty {
        incoming.withLock { incoming in
          swap(&incoming.messages, &outgoing.messages)
          if stopsWhenEmpty, outgoing.messages.isEmpty { incoming.isRunning = false }
        }
      }
      return outgoing.messages.popFirst()
    }
  }
}
