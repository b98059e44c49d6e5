import AsyncKnotTesting
import Synchronization
import TestSupport
import Testing

#if os(Linux)
  /// X2, X9: an exploration detects an event that is lost between a task's check and the storing of the task's continuation.
  ///
  /// The check and the storing are separate critical sections of a `Mutex`.
  @Suite struct MissedTests {
    /// The kind of continuation with which a task waits.
    enum Way: CaseIterable { case unsafe, checked, throwing }

    /// A door that opens once.
    ///
    /// Waiting checks the door in one critical section and stores the waiter in another.
    private final class Door: Sendable {
      private struct State {
        var isOpen = false
        var waiter: (@Sendable () -> Void)?
      }
      private let state = Mutex(State())
      private let isMended: Bool

      init(isMended: Bool) { self.isMended = isMended }

      func open() {
        state.withLock { state in
          state.isOpen = true
          return state.waiter.take()
        }?()
      }

      func wait(_ way: Way) async throws {
        if state.withLock({ $0.isOpen }) { return }
        switch way {
        case .unsafe:
          await withUnsafeContinuation { continuation in keep { continuation.resume() } }
        case .checked:
          await withCheckedContinuation { continuation in keep { continuation.resume() } }
        case .throwing:
          try await withCheckedThrowingContinuation { continuation in keep { continuation.resume() }
          }
        }
      }

      private func keep(_ resume: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
          if isMended, state.isOpen { return true }
          state.waiter = resume
          return false
        }
        if isLate { resume() }
      }
    }

    @Test(
      "X2, X9: an exploration detects an event that is lost between a check and the storing of a continuation",
      arguments: Way.allCases)
    func event(_ way: Way) async throws {
      for isMended in [false, true] {
        try await judge(finds: !isMended) {
          let door = Door(isMended: isMended)
          let waiter = Task { try await door.wait(way) }
          let opener = Task { door.open() }
          await opener.value
          try await waiter.value
        }
      }
    }

    /// Checks that 1,000 seeds, and a search with one forced switch, find a failure if and only if `finds` is `true`.
    private func judge(
      finds: Bool, _ scenario: @escaping @Sendable () async throws -> Void
    ) async throws {
      let failure = await Exploration(patience: .milliseconds(1)).firstFailure(scenario)
      let issues = await recordedIssues { await exploreAll(preemptions: 1, scenario) }
      #expect(issues.say("stalled") == finds && issues.isEmpty != finds)
      switch failure?.reason {
      case .stalled: #expect(finds)
      case nil: #expect(!finds)
      case let reason?: Issue.record("\(reason)")
      }
    }

    enum Look: CaseIterable {
      case isCancelled, checkCancellation

      var isCancelled: Bool {
        switch self {
        case .isCancelled: Task.isCancelled
        case .checkCancellation: (try? Task.checkCancellation()) == nil
        }
      }
    }

    /// A signal whose cancellation handler misses a waiter that has checked for cancellation but is not stored yet.
    private final class Signal: Sendable {
      private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)
      private let isMended: Bool

      init(isMended: Bool) { self.isMended = isMended }

      func wait(_ look: Look) async {
        await withTaskCancellationHandler {
          await withCheckedContinuation { continuation in
            let isCancelled = !isMended && look.isCancelled
            let isLate = waiting.withLock { waiter in
              if isMended ? look.isCancelled : isCancelled { return true }
              waiter = continuation
              return false
            }
            if isLate { continuation.resume() }
          }
        } onCancel: {
          waiting.withLock { $0.take() }?.resume()
        }
      }
    }

    @Test(
      "X2, X9: an exploration detects a cancellation that is missed between a check and the storing of a continuation",
      arguments: Look.allCases)
    func cancellation(_ look: Look) async throws {
      for isMended in [false, true] {
        try await judge(finds: !isMended) {
          let signal = Signal(isMended: isMended)
          let waiter = Task { await signal.wait(look) }
          let other = Task { waiter.cancel() }
          await other.value
          await waiter.value
        }
      }
    }

    /// Events for readers that check for cancellation twice.
    ///
    /// A woken reader takes the event or wakes another reader.
    private final class Events: Sendable {
      private struct State {
        var count = 0
        var waiting: [(id: Int, continuation: UnsafeContinuation<Void, Never>)] = []
        var cancelled: Set<Int> = []
      }
      private let state = Mutex(State())
      private let isMended: Bool

      init(isMended: Bool) { self.isMended = isMended }

      func send() {
        state.withLock { $0.count += 1 }
        wakeOne()
      }

      private func wakeOne() {
        state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }?
          .continuation.resume()
      }

      /// Takes an event; returns `false` if the task is cancelled.
      func next(_ id: Int) async -> Bool {
        while !Task.isCancelled {
          let hasOne = state.withLock { state in
            guard state.count > 0 else { return false }
            state.count -= 1
            return true
          }
          if hasOne { return true }
          await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
              let isOver = state.withLock { state in
                if state.count > 0 || state.cancelled.contains(id) { return true }
                state.waiting.append((id, continuation))
                return false
              }
              if isOver { continuation.resume() }
            }
          } onCancel: {
            state.withLock { state in
              state.cancelled.insert(id)
              let index = state.waiting.firstIndex { $0.id == id }
              return index.map { state.waiting.remove(at: $0) }
            }?.continuation.resume()
          }
          if !isMended, Task.isCancelled { wakeNext() }
        }
        if isMended { wakeNext() }
        return false
      }

      /// Wakes another reader for an event that was not taken.
      private func wakeNext() { if state.withLock({ $0.count > 0 }) { wakeOne() } }
    }

    @Test(
      "X2, X9: a search with two forced switches finds an event that is lost if a reader is cancelled between its checks"
    )
    func twoLooks() async {
      for isMended in [false, true] {
        let scenario: @Sendable () async throws -> Void = {
          let events = Events(isMended: isMended)
          let taken = Shared(0)
          let readers = (0..<2).map { id in
            Task { if await events.next(id) { taken.mutex.withLock { $0 += 1 } } }
          }
          await untilIdle()
          let sender = Task { events.send() }
          let other = Task { readers[0].cancel() }
          await sender.value
          await other.value
          await untilIdle()
          try hold(taken.value == 1, "an event is available, but its reader sleeps")
          readers[1].cancel()
          for reader in readers { await reader.value }
        }
        let issues = await recordedIssues { await exploreAll(preemptions: 2, scenario) }
        #expect(issues.say("sleeps") == !isMended && issues.isEmpty == isMended, "\(issues)")
        let failure = await Exploration(seeds: 2_000).firstFailure(scenario)
        #expect((failure == nil) == isMended)
      }
    }
  }
#endif
