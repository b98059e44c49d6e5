internal import ExploreTestingRuntime

/// Where the runtime stores the parts of a task that reports show.
///
/// Except at the beginning of a task, whose layout compiled code relies on, no offset is assumed. The kit compares tasks in known
/// states, and uses an offset only if exactly one fits all of them. If none or several fit, reports leave that part out.
struct TaskLayout: Sendable {
  /// Reads `count` four-byte words; `nil` if the memory is not readable.
  typealias Memory = @Sendable (_ address: UInt, _ count: Int) -> [UInt32]?

  /// A copy of a task's memory, and of the memory after it, at one moment.
  struct Specimen: Sendable {
    let address: UInt
    let words: [UInt32]

    /// Returns the eight bytes that start at the word with this index, which must be even.
    func pointer(_ word: Int) -> UInt { words.pointer(word) }
  }

  /// Copies of one probe's tasks in the known states.
  struct Specimens: Sendable {
    static let name = "a specimen"
    /// The size of a task, in bytes.
    let size: Int
    /// `waits` awaits a continuation; `cancelled` is the same task after its cancellation; `awaits` awaits `waits`; `owner`
    /// awaits its group, which contains `member`; `parent` awaits its `async let`, which is `child`; `queued` has not
    /// started; `ended` has ended; `runs` is running; all but `member`, `child` and `queued` are named ``name``.
    let waits, cancelled, awaits, owner, member, parent, child, queued, ended, runs: Specimen

    /// The tasks that await a continuation.
    var suspended: [Specimen] { [waits, member, child] }
    var waiting: [Specimen] { suspended + [awaits, parent, owner] }
    var all: [Specimen] { waiting + [cancelled, queued, ended, runs] }
  }

  private(set) var found = KnotLayout()
  /// The seams that were not found.
  private(set) var missing: [Seam] = []

  private let tasks: Specimens
  private let memory: Memory

  /// Compares the copies to find the layout.
  ///
  /// At the time of the call, the waiting tasks are still waiting, and the running task is the caller.
  init(_ tasks: Specimens, _ memory: @escaping Memory) {
    self.tasks = tasks
    self.memory = memory
    let type = tasks.runs.pointer(0)
    let isKnown = tasks.all.allSatisfy { task in
      guard let pointer = unsafe UnsafeRawPointer(bitPattern: task.address) else { return false }
      let number = unsafe UInt32(truncatingIfNeeded: knot_task_number(pointer))
      return task.pointer(0) == type && task.words[9] == number
    }
    need(.tasks, isKnown)
    guard isKnown else { return }
    found.metadata = type
    findFlags()
    findRecords()
    findGroups()
  }

  private mutating func need(_ seam: Seam, _ isFound: Bool) { if !isFound { missing.append(seam) } }

  /// The words of a task after its beginning, whose layout compiled code relies on.
  private var own: Range<Int> { 20..<tasks.size / 4 }

  /// The flags are in the only word that a cancellation changes.
  private mutating func findFlags() {
    let changed = only(own.filter { tasks.waits.words[$0] != tasks.cancelled.words[$0] })
    func flag(of set: [Specimen], not clear: [Specimen]) -> KnotFlag {
      guard let word = changed else { return KnotFlag() }
      let inAll = set.reduce(UInt32.max) { $0 & $1.words[word] }
      let mask = clear.reduce(inAll) { $0 & ~$1.words[word] }
      return mask.nonzeroBitCount == 1
        ? KnotFlag(place: UInt32(word * 4), mask: mask) : KnotFlag()
    }
    let (still, ended, runs) = (tasks.waiting + [tasks.queued], [tasks.ended], [tasks.runs])
    let cancelled = [tasks.cancelled]
    found.cancelled = flag(of: cancelled, not: still + ended + runs)
    found.running = flag(of: runs, not: still + ended + cancelled)
    found.ended = flag(of: ended, not: still + runs + cancelled)
    found.waiting = flag(of: tasks.waiting + cancelled, not: ended + runs)
    need(.cancellations, found.cancelled.mask != 0)
    need(.running, found.running.mask != 0)
    need(.ends, found.ended.mask != 0)
  }

  private mutating func findRecords() {
    let pairs = Array(stride(from: 0, to: 16, by: 2))
    /// The record at an address: a small number that contains its kind, then pointers.
    func record(_ address: UInt) -> [UInt32]? {
      memory(address, 16).flatMap { $0.pointer(0) < 1 << 16 ? $0 : nil }
    }
    let heads = own.filter { word in
      word % 2 == 0 && (tasks.waiting + [tasks.runs]).allSatisfy { record($0.pointer(word)) != nil }
    }
    guard let head = only(heads) else { return missing += [.waits, .names] }
    found.record = UInt32(head * 4)
    func first(_ task: Specimen) -> [UInt32] { record(task.pointer(head)) ?? [] }

    let (task, continuation, group) = (first(tasks.awaits), first(tasks.waits), first(tasks.owner))
    let (other, suspended) = (first(tasks.parent), tasks.suspended.map(first))
    let ons = pairs.filter {
      task.pointer($0) == tasks.waits.address && other.pointer($0) == tasks.child.address
    }
    let waiters = pairs.filter { word in
      tasks.waiting.allSatisfy { first($0).pointer(word) == $0.address }
    }
    let reasons = (2..<16).filter { word in
      let values = Set([task, continuation, group].map { $0[word] })
      return values.count == 3 && values.allSatisfy { (1..<256).contains($0) }
        && suspended.allSatisfy { $0[word] == continuation[word] } && other[word] == task[word]
    }
    let kinds = Set(([task, other, group] + suspended).map { $0[0] & 0xff })
    let waits = only(ons).flatMap { on in
      only(waiters).flatMap { waiter in only(reasons).map { (on, waiter, $0) } }
    }
    if let (on, waiter, reason) = waits, kinds.count == 1, found.waiting.mask != 0 {
      (found.on, found.waiter) = (UInt32(on * 4), UInt32(waiter * 4))
      (found.reason, found.dependency) = (UInt32(reason * 4), task[0] & 0xff)
      let ready = first(tasks.queued)
      let isReady = ready.count > reason && ready.pointer(waiter) == tasks.queued.address
      found.reasons = (
        task[reason], continuation[reason], group[reason], isReady ? ready[reason] : 0
      )
    }
    need(.waits, found.on != 0)

    /// Follows the pointers at `next` through at most eight records, and examines the first one that refers to the name.
    ///
    /// Returns `next`, the index and the record's kind for each word of that record that points to the name.
    func named(_ task: Specimen, by next: Int) -> Set<[Int]> {
      var current = record(task.pointer(head))
      for _ in 0..<8 {
        guard let words = current else { return [] }
        let places = pairs.prefix(4).filter { isName(at: words.pointer($0)) }
        if !places.isEmpty { return Set(places.map { [next, $0, Int(words[0] & 0xff)] }) }
        current = record(words.pointer(next))
      }
      return []
    }
    // Words after a short record are leftovers that may look like a match, so several tasks have to agree.
    let names = pairs.prefix(4).flatMap { next in
      [tasks.awaits, tasks.owner, tasks.runs].reduce(named(tasks.waits, by: next)) {
        $0.intersection(named($1, by: next))
      }
    }
    if let name = only(names) {
      (found.next, found.name) = (UInt32(name[0] * 4), UInt32(name[1] * 4))
      found.named = UInt32(name[2])
    }
    need(.names, found.name != 0)
  }

  private func isName(at address: UInt) -> Bool {
    let count = Specimens.name.utf8.count
    guard let words = memory(address, (count + 4) / 4) else { return false }
    let bytes = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
    return bytes.prefix(count).elementsEqual(Specimens.name.utf8) && bytes[count] == 0
  }

  private mutating func findGroups() {
    let others = [tasks.waits, tasks.awaits, tasks.parent, tasks.owner, tasks.child, tasks.queued]
    let clear = others.reduce(tasks.member.words[8]) { $0 & ~$1.words[8] }
    let parents = stride(from: tasks.size / 4, to: tasks.member.words.count, by: 2).filter {
      tasks.member.pointer($0) == tasks.owner.address
    }
    if clear.nonzeroBitCount == 1, let parent = only(parents) {
      (found.inGroup, found.parent) = (clear, UInt32(parent * 4))
    }
    need(.groups, found.parent != 0)
  }
}

/// The only element of an array; `nil` if there are none or several.
private func only<Element>(_ elements: [Element]) -> Element? {
  elements.count == 1 ? elements[0] : nil
}

extension [UInt32] {
  /// Returns the eight bytes that start at the word with this index, which must be even; 0 past the end.
  fileprivate func pointer(_ word: Int) -> UInt {
    word + 1 < count ? UInt(self[word]) | UInt(self[word + 1]) << 32 : 0
  }
}
