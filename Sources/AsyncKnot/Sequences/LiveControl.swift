internal import Synchronization

/// Pauses, resumes and ends the calls of one handler that was given to `live`.
///
/// Every method is synchronous and may be called from any thread. Calls of one handler never
/// overlap. After `pause()` or `cancel()` has returned on the handler's isolation, no call begins;
/// the task of a running one is cancelled. Releasing a control changes nothing while it delivers;
/// releasing a paused one ends it.
public final class LiveControl: Sendable {
  private enum Phase { case paused, live, ended }

  private struct State {
    var phase = Phase.paused
    /// The number of changes; a task of an earlier epoch calls no handler.
    var epoch = 0
    /// The epoch of the last task, and that task, which awaits the one before it.
    var begun = 0
    var last: Task<Void, Never>?
    /// The number of tasks: at most the last one and the one that it waits for.
    var tasks = 0
    var leaveBag: (@Sendable () -> Void)?
  }

  /// Makes the task of an epoch, which awaits the one before it and ends with `Epoch.end()`, and its
  /// first step.
  typealias Start =
    @Sendable (Epoch, _ last: Task<Void, Never>?) -> (task: Task<Void, Never>, first: FirstStep)

  /// The time between two changes of a control.
  struct Epoch: Sendable {
    fileprivate let control: LiveControl
    fileprivate let number: Int

    var isCurrent: Bool { control.state.withLock { $0.epoch == number } }

    func end() { control.end(self) }
  }

  private let state = Mutex(State())
  private let over = Latch()
  private let start: Start
  private let release: @Sendable () -> Void

  init(start: @escaping Start, release: @escaping @Sendable () -> Void) {
    self.start = start
    self.release = release
  }

  deinit { cancel() }

  /// Delivers from now on, the newest element first; does nothing while the control delivers.
  public func resume() {
    if change(to: .live) { startTask() }
  }

  /// Delivers nothing until `resume()` is called; nothing stays registered with the source.
  public func pause() { change(to: .paused) }

  /// Ends the calls for good, and releases the handler and the sequence.
  ///
  /// If the handler runs, what it captures is released when it has returned.
  public func cancel() {
    guard change(to: .ended) else { return }
    release()
    state.withLock { $0.leaveBag.take() }?()
  }

  func begin(in bag: TaskBag) {
    let leave = bag.add(
      cancel: { [weak self] in self?.cancel() }, wait: { [over] in await over.wait() })
    resume()
    let hasEnded = state.withLock { state in
      state.leaveBag = leave
      return state.phase == .ended
    }
    if hasEnded { leave() }
  }

  /// Changes the phase and cancels its task; returns whether anything changed.
  @discardableResult
  private func change(to phase: Phase) -> Bool {
    let (hasChanged, task, isOver) = state.withLock { state in
      guard state.phase != phase, state.phase != .ended else {
        return (false, nil as Task<Void, Never>?, false)
      }
      state.phase = phase
      state.epoch += 1
      return (true, phase == .live ? nil : state.last, phase == .ended && state.tasks == 0)
    }
    Spawn.preemptionPoint()
    task?.cancel()
    if isOver { over.open() }
    return hasChanged
  }

  /// Starts the task of this epoch, unless two older ones are left: then the end of one does.
  private func startTask() {
    let first = Errand.none {
      state.withLock { state -> FirstStep? in
        guard state.phase == .live, state.begun < state.epoch, state.tasks < 2 else { return nil }
        let (task, first) = start(Epoch(control: self, number: state.epoch), state.last)
        state.begun = state.epoch
        state.last = task
        state.tasks += 1
        return first
      }
    }
    first?.run()
  }

  /// Ends a task; the control ends with it if nobody has paused it.
  private func end(_ epoch: Epoch) {
    if epoch.isCurrent { cancel() }
    let isOver = state.withLock { state in
      state.tasks -= 1
      return state.phase == .ended && state.tasks == 0
    }
    if isOver { over.open() } else { startTask() }
  }
}
