/// Something that the kit does with the runtime, which no stable interface promises: a row of `Design/porting.md`, and what
/// is lost where it was not found.
enum Seam: String, CaseIterable, Sendable {
  case creation = """
    tasks that are made: explore does not control Task { }, Task.detached and @MainActor code, which counts as foreign \
    work. Its code calls the runtime's swift_task_create, not the kit's: is the kit in a dynamic library, or the runtime \
    linked with -static-stdlib?
    """
  case hops = "hops to actors: a task that makes one leaves the run, and counts as foreign work"
  case clocks = "the clocks: ContinuousClock and SuspendingClock show real time"
  case sleeps =
    "sleeps: a task that sleeps leaves the run, unless on a TestClock, and is foreign work"
  case chance = "random numbers: those of the system's generator, and UUID(), are not the seed's"
  case hashes = "hashes: the order of a Set or a Dictionary differs between two processes"
  case tasks = "the state of a task: reports have no names of tasks, and not what they wait for"
  case cancellations = "the cancellation of a task: reports do not tell it"
  case running = "whether a task runs: reports do not tell it"
  case ends =
    "the end of a task: leavesNothing looks at nothing, and hangs show tasks that are over"
  case waits = "what a task waits for: reports do not tell it"
  case names = "the name of a task: reports call it after its function"
  case groups = "the group of a task: reports do not tell whose it is"
}
