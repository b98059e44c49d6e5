public import Synchronization

/// A handler that `observe` registered.
///
/// The storage of the knot and a running turn keep the handler alive.
///
/// The handler may be released on any thread. The captures of a main-actor handler are released by a task on the main actor
/// (S17).
@usableFromInline
@safe final class Handler<State: Sendable>: Sendable {
  @usableFromInline typealias Call = @Sendable (_ holder: AnyObject, State) -> Void

  /// Holds the closure in a separate object, so that the handler can release it on the right actor.
  @usableFromInline
  final class Closure: Sendable {
    @usableFromInline let call: Call
    init(_ call: @escaping Call) { self.call = call }
  }

  @usableFromInline let closure: Unmanaged<Closure>
  @usableFromInline let hasEnded = Atomic(false)
  private let isOfMainActor: Bool
  private let leaveBag: @Sendable () -> Void
  /// Unowned, so that the holder's address is not reused while this handler exists: the knot identifies its holder by address.
  private unowned let holder: any AnyObject & Sendable

  init(
    of holder: any AnyObject & Sendable, isOfMainActor: Bool,
    leaveBag: @escaping @Sendable () -> Void, _ call: @escaping Call
  ) {
    (self.holder, self.isOfMainActor, self.leaveBag) = (holder, isOfMainActor, leaveBag)
    unsafe closure = Unmanaged.passRetained(Closure(call))
  }

  deinit {
    leaveBag()
    guard isOfMainActor else { return unsafe closure.release() }
    Spawn.task { @MainActor [closure = unsafe closure] in unsafe closure.release() }
  }

  @inlinable
  func callUnlessEnded(_ holder: AnyObject, _ state: State) {
    if hasEnded.load(ordering: .acquiring) { return }
    unsafe closure._withUnsafeGuaranteedRef { $0.call(holder, state) }
  }
}

extension KnotCore {
  /// Registers a handler for every state accepted after this call; traps if another object writes this knot.
  ///
  /// The cast drops the handler's isolation. It is safe because only turns of the holder call the handler, and turns run on that
  /// isolation.
  @unsafe func register<Holder: AnyObject & Sendable, Isolated: Sendable>(
    of holder: Holder, isOfMainActor: Bool = false, in bag: TaskBag,
    unsafeIsolated handler: Isolated
  ) -> TaskBag.Entry {
    let call = unsafe unsafeBitCast(handler, to: (@Sendable (Holder, State) -> Void).self)
    let member = BagMember(isTask: false)
    let leave = bag.insert(member)
    // The downcast is safe because a knot has one holder, which passes itself to its handlers.
    let handler = Handler<State>(of: holder, isOfMainActor: isOfMainActor, leaveBag: leave) {
      unsafe call(unsafeDowncast($0, to: Holder.self), $1)
    }
    let ticket = withStorage { storage in
      storage.claim(for: ObjectIdentifier(holder))
      return storage.handlers.insert(handler)
    }
    let entry = TaskBag.Entry { [self] in
      remove { storage in
        let handler = storage.handlers.remove(ticket)
        handler?.hasEnded.store(true, ordering: .releasing)
        return handler
      }
    }
    member.start(BagMember.Work(cancel: entry.end))
    return entry
  }
}
