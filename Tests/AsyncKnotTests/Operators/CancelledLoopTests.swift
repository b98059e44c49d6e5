/// A holder that counts the elements it receives, and cancels a loop that runs on it.
private actor Listener: StateActor {
  let knot = Knot(0)

  func hear<Events: AsyncSequence & Sendable>(_ events: Events) async
  where Events.Failure == Never {
    for await _ in events { reduce { $0 += 1 } }
  }

  func watch(_ events: some AsyncSequence<Int, Never> & Sendable, in bag: TaskBag) {
    events.live(in: bag) { event in self.reduce { $0 += event } }
  }

  func watch(
    _ events: AsyncThrowingStream<Int, any Error>, in bag: TaskBag,
    onError: @escaping @Sendable (any Error) -> Void
  ) {
    events.live(in: bag, { event in self.reduce { $0 += event } }, onError: onError)
  }

  /// Ends a sequence with an error, cancels the bag, and returns the number of errors reported so far.
  func cancel(
    _ bag: TaskBag, after continuation: AsyncThrowingStream<Int, any Error>.Continuation,
    _ errors: Log<String>
  ) -> Int {
    continuation.finish(throwing: Violation(description: "late"))
    bag.cancel()
    return errors.all.count
  }

  /// Sends elements, cancels the task, and returns the state at that moment.
  func cancel(_ task: Task<Void, Never>, after send: @Sendable () -> Void) -> Int {
    send()
    task.cancel()
    return state
  }
}

extension TaskBag {
  /// Waits for the tasks and cancels them if the waiting task is cancelled.
  fileprivate func waitOrCancel() async {
    await withTaskCancellationHandler {
      await wait()
    } onCancel: {
      cancel()
    }
  }
}

/// Loops over sequences from outside the package, which can return an element although the task was cancelled.
@Suite struct CancelledLoopTests {
  enum Way: CaseIterable, Sendable {
    case pipe, pipeInBag, pipeOfMapped, filter, withState, state, withLatest, live
  }

  @Test(
    "S21: a loop over any sequence takes nothing more after code on the holder has cancelled its task",
    arguments: Way.allCases)
  func cancelled(_ way: Way) async {
    await exploreContract(seeds: 500) {
      let (listener, bag) = (Listener(), TaskBag())
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let channel = EventChannel<Int>()
      let events = channel.subscribe()
      let task = Task(executorPreference: Exploration.executor) {
        switch way {
        case .pipe: await stream.pipe(to: listener) { $1 += $0 }
        case .pipeInBag:
          stream.pipe(to: listener, in: bag) { $1 += $0 }
          await bag.waitOrCancel()
        case .pipeOfMapped: await events.map { $0 }.pipe(to: listener) { $1 += $0 }
        case .filter: await listener.hear(stream.filter(with: listener) { _, _ in true })
        case .withState: await listener.hear(stream.withState(from: listener))
        case .state: await listener.hear(stream.state(from: listener))
        case .withLatest: await listener.hear(stream.withLatest(from: listener.states))
        case .live:
          await listener.watch(stream, in: bag)
          await bag.waitOrCancel()
        }
      }
      Task(executorPreference: Exploration.executor) {
        continuation.yield(0)
        channel.send(0)
      }
      await untilIdle()
      let atCancel = await listener.cancel(task) {
        for event in 1...3 {
          continuation.yield(event)
          channel.send(event)
        }
      }
      await task.value
      await untilIdle()
      try hold(
        listener.state == atCancel, "\(atCancel) at the cancellation, then \(listener.state)")
    }
  }

  @Test(
    "S21: an error is not reported after a cancellation on the consumer's isolation",
    arguments: [true, false])
  func cancelledError(isLive: Bool) async {
    await exploreContract(seeds: 500) {
      let (listener, bag, errors) = (Listener(), TaskBag(), Log<String>())
      let (stream, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
      if isLive {
        await listener.watch(stream, in: bag) { errors.append("\($0)") }
      } else {
        stream.pipe(to: listener, in: bag, { $1 += $0 }) { errors.append("\($0)") }
      }
      await untilIdle()
      let atCancel = await listener.cancel(bag, after: continuation, errors)
      await untilIdle()
      try hold(errors.all.count == atCancel, "\(atCancel) at the cancellation, then \(errors.all)")
    }
  }
}
