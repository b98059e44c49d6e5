/// A bug that occurs only in a certain order of steps: a visitor comes by while a door is open.
///
/// The doorman opens the door for one step, after `steps` steps in which it is shut. Two pairs of steps must be in order, so the
/// bug has depth 2. With `mustStay`, the visitor must also stay inside until the doorman has taken another `steps` steps, so the
/// bug has depth 3.
final class PlantedBug: Sendable {
  struct Found: Error {}

  private struct State {
    var isOpen = false
    var isLocked = false
    var isFound = false
  }

  private let steps: Int
  private let mustStay: Bool
  private let state = Mutex(State())

  init(steps: Int, mustStay: Bool) {
    self.steps = steps
    self.mustStay = mustStay
  }

  func run() async throws {
    await withDiscardingTaskGroup { group in
      group.addTask { [self] in
        for _ in 0..<steps { await Task.yield() }
        state.withLock { $0.isOpen = true }
        await Task.yield()
        state.withLock { $0.isOpen = false }
        for _ in 0..<steps { await Task.yield() }
        state.withLock { $0.isLocked = true }
      }
      group.addTask { [self] in
        guard state.withLock({ $0.isOpen }) else { return }
        await Task.yield()
        state.withLock { $0.isFound = $0.isLocked || !mustStay }
      }
    }
    if state.withLock({ $0.isFound }) { throw Found() }
  }
}
