public import AsyncKnot
public import Synchronization

/// Receives each transition, on the holder's isolation, after the step that made it.
@usableFromInline
final class Listener<Cause: Sendable, State: Sendable>: Sendable {
  @usableFromInline typealias Report = Transition<Cause, State>

  /// Whether the listener is no longer needed and can be removed.
  @usableFromInline let isOver: @Sendable () -> Bool
  /// Called with the shown transition and, if an undo history may record it as a step, with the confirmed transition.
  @usableFromInline let receive: @Sendable (_ shown: Report, _ step: Report?) -> Void
  /// Called when every message that was sent has been carried out or dropped.
  @usableFromInline let settle: @Sendable () -> Void
  /// Whether the listener is an undo history, which `recordSteps()` notifies of undelivered steps.
  @usableFromInline let isHistory: Bool

  @inlinable
  init(
    isOver: @escaping @Sendable () -> Bool, settle: @escaping @Sendable () -> Void = {},
    isHistory: Bool = false,
    receive: @escaping @Sendable (_ shown: Report, _ step: Report?) -> Void
  ) {
    (self.isOver, self.settle, self.receive) = (isOver, settle, receive)
    self.isHistory = isHistory
  }
}

@usableFromInline
struct Listeners<Cause: Sendable, State: Sendable>: Sendable {
  @usableFromInline var all: [Listener<Cause, State>] = []
  /// When this many listeners are registered, those that have ended are removed, even without a transition.
  var limit = 16

  init() {}
}

extension Desk {
  @usableFromInline typealias Report = Transition<Holder.ChangeCause, Holder.State>
  /// A transition and, if an undo history may record it as a step, the confirmed transition.
  ///
  /// `isRecorded` is `true` if the histories recorded the step before it was delivered.
  @usableFromInline typealias Reports = (shown: Report, step: Report?, isRecorded: Bool)
  @usableFromInline typealias ChangeListener = Listener<Holder.ChangeCause, Holder.State>

  @usableFromInline
  func listen(_ listener: ChangeListener) {
    let crowd = listeners.withLock { listeners -> [ChangeListener]? in
      listeners.all.append(listener)
      setWatched(by: .transitions, true)
      return listeners.all.count < listeners.limit ? nil : listeners.all
    }
    if let crowd { forget(crowd) }
  }

  /// Removes the listeners that have ended, in one pass.
  ///
  /// `isOver` and deinitializers run outside the lock.
  @usableFromInline @inline(never)
  func forget(_ all: [ChangeListener]) {
    let over = Set(all.filter { $0.isOver() }.map(ObjectIdentifier.init))
    listeners.withLock { listeners in
      listeners.all.removeAll { over.contains(ObjectIdentifier($0)) }
      listeners.limit = max(16, listeners.all.count * 2)
      setWatched(by: .transitions, !listeners.all.isEmpty)
    }
    withExtendedLifetime(all) {}
  }

  /// Calls all listeners, in the order in which they were added, without holding a lock.
  ///
  /// A transition that a listener causes is delivered after all listeners have received the current one (OR13). In the trace, the
  /// change belongs to the message of `letter` or, if `letter` is `nil`, to the current message.
  @inlinable
  func notify(_ shown: Report, step: Report?, of letter: Letter? = nil) {
    let (isNested, isTraced) = (unsafe isNotifying, isWatched(by: .events))
    unsafe isNotifying = true
    if isNested || isTraced {
      // The transition is queued before the trace runs, because handlers of the trace may also change the state or undo.
      unsafe undelivered.append((shown, step, isRecorded: false))
    } else {
      notifyAll((shown, step, isRecorded: false))
    }
    if isTraced {
      trace(.changed(shown.cause, from: shown.before, to: shown.after), of: letter)
    }
    if isNested { return }
    while let next = unsafe undelivered.popFirst() { notifyAll(next) }
    unsafe isNotifying = false
  }

  @inlinable
  func notifyAll(_ reports: Reports) {
    let all = listeners.withLock { $0.all }
    var isAnyOver = false
    // Iterates by index, because a loop over the elements would retain each of them.
    for index in all.indices where !(reports.isRecorded && all[index].isHistory) {
      if all[index].isOver() {
        isAnyOver = true
      } else {
        all[index].receive(reports.shown, reports.step)
      }
    }
    if isAnyOver { forget(all) }
  }

  /// Lets the undo histories record the steps that are not yet delivered, because a history is about to be used.
  func recordSteps() {
    guard unsafe !undelivered.isEmpty else { return }
    var (rest, steps) = (unsafe undelivered, [Reports]())
    unsafe undelivered = Fifo()
    while let next = rest.popFirst() {
      unsafe undelivered.append((next.shown, next.step, isRecorded: true))
      if !next.isRecorded { steps.append(next) }
    }
    let histories = listeners.withLock { $0.all.filter(\.isHistory) }
    for reports in steps {
      for history in histories where !history.isOver() {
        history.receive(reports.shown, reports.step)
      }
    }
  }

  /// Notifies the listeners if every message that was sent has been carried out or dropped.
  @usableFromInline
  func notifyIfSettled() {
    guard isWatched(), unfinishedCount == 0 else { return }
    for listener in listeners.withLock({ $0.all }) { listener.settle() }
  }

  /// Commits a change that needs no response; if there are no listeners and the log is idle, only the state changes.
  @inlinable
  func commit(
    _ cause: @autoclosure () -> Holder.ChangeCause, on holder: isolated Holder,
    edit: @autoclosure () -> Edit<Holder>, _ body: (inout Holder.State) -> Void
  ) {
    let knot = holder.knot
    guard isWatched() else {
      _ = writeUnlessRecalled(to: knot, body)
      return
    }
    if unsafe isLogged { return commit(cause(), edit(), on: holder) }
    let written = writeUnlessRecalled(to: knot) { state in
      let before = state
      body(&state)
      return (before, state)
    }
    guard let (before, after) = written else { return }
    let change = Transition(cause: cause(), before: before, after: after)
    notify(change, step: change)
  }
}

extension Dispatcher {
  package nonisolated var probePort: ProbePort<ChangeCause, State> {
    let (desk, channel) = (desk, EventChannel<Transition<ChangeCause, State>?>())
    let changes = channel.subscribe()
    desk.listen(
      Listener(isOver: { !channel.hasSubscribers }, settle: { channel.send(nil) }) {
        change, _ in channel.send(change)
      })
    return ProbePort(changes: changes, count: { desk.unfinishedCount })
  }
}

/// The interface through which the test kit's probes observe a holder.
package struct ProbePort<Cause: Sendable, State: Sendable>: Sendable {
  /// The transitions, and `nil` each time all sent messages have been carried out or dropped.
  package let changes: EventSequence<Transition<Cause, State>?>
  let count: @Sendable () -> Int

  package var unfinishedCount: Int { count() }
}
