/// Combines the newest states of several sources, beginning with the current ones.
///
/// ```swift
/// for await (user, cart) in states(of: session, shop) { show(user, cart) }
/// ```
/// Each element contains states that the sources had at the same time. A slow observer skips to the newest element. Once the
/// sources stop changing, the last element contains the last state of each source. The sequence does not start a task or keep a
/// source alive. It ends when all sources are released. A cancelled task receives `nil`.
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
