extension AsyncSequence {
  /// Pairs every event with the newest element of another sequence.
  ///
  /// Events that arrive before the first element of the other sequence are dropped.
  ///
  /// ```swift
  /// for await (tap, query) in taps.withLatest(from: queries) { print(tap, query) }
  /// ```
  /// While an iterator of the pairs exists, a separate task iterates the other sequence. An element that is immediately
  /// available, such as the current state of `states`, is already paired with the first event. The task takes later elements in
  /// the background. After the other sequence has ended, its last element stays the newest. If it ends without any element, the
  /// pairs end at the next event.
  public func withLatest<Other: AsyncSequence & Sendable>(
    from other: Other
  ) -> WithLatestSequence<Self, Other> where Other.Element: Sendable, Other.Failure == Never {
    WithLatestSequence(base: self, other: other)
  }
}

/// The events of a base sequence, each paired with the newest element of another sequence.
public struct WithLatestSequence<Base: AsyncSequence, Other: AsyncSequence & Sendable>:
  AsyncSequence
where Other.Element: Sendable, Other.Failure == Never {
  /// An event and the newest element of the other sequence.
  public typealias Element = (Base.Element, Other.Element)
  /// The base sequence's error type.
  public typealias Failure = Base.Failure

  let base: Base
  let other: Other

  /// Creates an iterator over the pairs and starts to iterate the other sequence.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: base.makeAsyncIterator(), latest: Latest(of: other))
  }

  /// An iterator over the pairs.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator
    let latest: Latest<Other.Element>
    private var slice = Slice()

    init(base: Base.AsyncIterator, latest: Latest<Other.Element>) {
      self.base = base
      self.latest = latest
    }

    /// Returns the next pair; `nil` if the base sequence has ended, the other one has ended without an element, or the task is
    /// cancelled.
    ///
    /// - Throws: The base sequence's error.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      while let event = try await base.nextUnlessCancelled(isolation: actor) {
        switch latest.reading {
        case .none: if slice.isOver() { await Slice.yield() }
        case .element(let element): return (event, element)
        case .ended: return nil
        }
      }
      return nil
    }

    /// Returns the next pair, or `nil` at the end.
    nonisolated(nonsending) public mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: #isolation)
    }
  }
}

/// The newest element of a sequence that a task iterates.
final class Latest<Element: Sendable>: Sendable {
  enum Reading: Sendable {
    case none
    case element(Element)
    /// The sequence has ended without an element.
    case ended
  }

  private let core = KnotCore(Reading.none)
  private let task: Task<Void, Never>

  init<Other: AsyncSequence & Sendable>(of other: Other)
  where Other.Element == Element, Other.Failure == Never {
    let (task, first) = Spawn.held { [core] in
      let writer = ObjectIdentifier(core)
      var elements = other.makeAsyncIterator()
      func take(_ element: Element?) -> Bool {
        guard let element else { return false }
        _ = core.exchange(for: .element(element), by: writer, callsHooks: false)
        return true
      }
      if take(await elements.next(isolation: nil)) {
        // The initializer runs this task only up to here, to take an element that is immediately available.
        await Task.yield()
        var slice = Slice()
        while take(await elements.nextUnlessCancelled(isolation: nil)) {
          if slice.isOver() { await Slice.yield() }
        }
      }
      _ = core.write(by: writer, callsHooks: false) { if case .none = $0 { $0 = .ended } }
    }
    self.task = task
    first.run()
  }

  deinit { Reducer.afterwards { [task] in task.cancel() } }

  var reading: Reading { core.state }
}

extension WithLatestSequence: Sendable where Base: Sendable {}

@available(*, unavailable)
extension WithLatestSequence.AsyncIterator: Sendable {}
