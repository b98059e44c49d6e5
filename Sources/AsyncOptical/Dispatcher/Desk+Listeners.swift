public import AsyncKnot
public import Synchronization

/// Receives each transition, on the holder's isolation, in the step that made it.
@usableFromInline
final class Listener<Cause: Sendable, State: Sendable>: Sendable {
  @usableFromInline typealias Report = Transition<Cause, State>

  /// Whether the listener is no longer needed and can be removed.
  @usableFromInline let isOver: @Sendable () -> Bool
  /// Called with the shown transition and, if an undo history may record it as a step, with the confirmed transition.
  ///
  /// The closure calls no code of the app, so all listeners have received a transition before another one can happen.
  @usableFromInline let receive: @Sendable (_ shown: Report, _ step: Report?) -> Void
  /// Called after the transition has been traced; an undo history records its steps here, and may call code of the app.
  @usableFromInline let react: (@Sendable () -> Void)?
  /// Called when every message that was sent has been carried out or dropped.
  @usableFromInline let settle: @Sendable () -> Void

  @inlinable
  init(
    isOver: @escaping @Sendable () -> Bool, settle: @escaping @Sendable () -> Void = {},
    react: (@Sendable () -> Void)? = nil,
    receive: @escaping @Sendable (_ shown: Report, _ step: Report?) -> Void
  ) {
    (self.isOver, self.settle, self.react, self.receive) = (isOver, settle, react, receive)
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

  /// Passes a transition to all listeners, in the order in which they were added, without holding a lock.
  ///
  /// A transition that a trace handler or an undo history causes reaches all listeners after the current one (OR13). In the trace,
  /// the change belongs to the message of `letter` or, if `letter` is `nil`, to the current message.
  @inlinable
  func notify(_ shown: Report, step: Report?, of letter: Letter? = nil) {
    let all = listeners.withLock { $0.all }
    var isAnyOver = false
    // Iterates by index, because a loop over the elements would retain each of them.
    for index in all.indices {
      if all[index].isOver() {
        isAnyOver = true
      } else {
        all[index].receive(shown, step)
      }
    }
    if isAnyOver { forget(all) }
    if isWatched(by: .events) {
      trace(.changed(shown.cause, from: shown.before, to: shown.after), of: letter)
    }
    for index in all.indices { all[index].react?() }
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
    defer { Reducer.carryOutEndings() }
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
