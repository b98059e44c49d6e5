/// The newest states of several sources, together: the current ones at once, then newer ones.
///
/// ```swift
/// for await (user, cart) in states(of: session, shop) { show(user, cart) }
/// ```
/// Each element has the newest state of every source at the moment it was taken; a slow observer
/// skips. A source that is there twice, itself or through a ``Derived`` source, shows one state. When no
/// source changes any more, the last element has the last state of every source. The sequence starts no
/// task and keeps no source alive; it ends when all sources are gone. A cancelled task receives `nil`.
public func states<each Source: StateSource>(
  of source: repeat each Source
) -> StatesSequence<repeat (each Source).State> {
  let core = Moment.settling { moment in
    KnotCore(of: repeat (each source).knot.core, at: moment, areEqual: nil) {
      (state: repeat (each Source).State) in (repeat each state)
    }
  }
  return StateSequence(core: core, policy: nil)
}

/// The newest states of several sources, as tuples.
public typealias StatesSequence<each State: Sendable> = StateSequence<(repeat each State)>
