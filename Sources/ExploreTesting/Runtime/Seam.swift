/// A part of the runtime that the kit uses without a stable interface; see `Design/porting.md`.
///
/// The raw value names the part, and says what does not work without it.
enum Seam: String, CaseIterable, Sendable {
  case creation = """
    the creation of tasks: explore does not control Task { }, Task.detached and @MainActor code, so they count as foreign \
    work. The program calls the runtime's swift_task_create instead of the kit's. Is the kit in a dynamic library, or is \
    the runtime linked with -static-stdlib?
    """
  case hops = "hops to actors: a task that hops leaves the run and counts as foreign work"
  case clocks = "the clocks: ContinuousClock and SuspendingClock show real time"
  case sleeps =
    "sleeps: a task that sleeps, except on a TestClock, leaves the run and counts as foreign work"
  case chance =
    "random numbers: the seed does not control the system's generator and UUID()"
  case hashes = "hashes: the order of a Set or a Dictionary can differ from process to process"
  case tasks = "the state of a task: reports have no task names and do not say what tasks wait for"
  case cancellations = "the cancellation of a task: reports do not show it"
  case running = "whether a task is running: reports do not show it"
  case ends =
    "the end of a task: leavesNothing has no effect, and hang reports also list tasks that have ended"
  case waits = "what a task waits for: reports leave it out"
  case names = "the name of a task: reports use its function instead"
  case groups = "the group of a task: reports do not say which task owns it"
}
