internal import Synchronization

extension Explorer {
  /// Suspends until nothing else is ready.
  func untilIdle() async {
    await withCheckedContinuation { continuation in
      let isClosed = state.withLock { state in
        if !state.isClosed { state.idlers.append(Parked(continuation)) }
        return state.isClosed
      }
      if isClosed { continuation.resume() }
    }
  }

  /// Resumes the first of the tasks that wait until nothing else is ready.
  ///
  /// - Returns: `false` if there is none.
  func resumeIdler() -> Bool {
    let idler = state.withLock { $0.idlers.isEmpty ? nil : $0.idlers.removeFirst() }
    perform { idler?.resume() }
    return idler != nil
  }

  /// Begins a wait for jobs from outside of the run.
  func beginWait() {
    state.withLock { state in
      state.waits += 1
      state.isPatienceOver = false
    }
  }

  /// Suspends until a job comes from outside or the scenario ends, or ``endPatience()`` was called.
  func untilOutsideWork() async {
    await withCheckedContinuation { continuation in
      let isDue = state.withLock { state in
        let isDue = !state.schedule.isEmpty || state.result != nil || state.isPatienceOver
        if !isDue { state.driver = Parked(continuation) }
        return isDue
      }
      if isDue { continuation.resume() }
    }
  }

  /// Ends the wait for jobs from outside of the run.
  func endPatience() {
    state.withLock { state in
      // This may be called before the driver has begun to wait.
      state.isPatienceOver = true
      return state.driver.take()
    }?.resume()
  }

  /// Keeps a text on what a task waits for, for the report of a stall.
  ///
  /// - Returns: The number by which the text is removed when the wait is over.
  func addNote(_ text: @escaping @Sendable () -> String) -> Int {
    state.withLock { state in
      state.nextNote += 1
      state.notes.append((state.nextNote, text))
      return state.nextNote
    }
  }

  func removeNote(_ id: Int) { state.withLock { $0.notes.removeAll { $0.id == id } } }

  var notes: [String] { state.withLock { $0.notes }.map { $0.text() } }
}
