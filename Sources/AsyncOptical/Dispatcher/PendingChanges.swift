internal import AsyncKnot

/// The changes that are shown over a confirmed state until they are answered, and the edits that a
/// load in flight may not have read: a value that only the holder's isolation uses.
///
/// One count numbers commits and edits, so that a number also tells which of two was first.
struct PendingChanges<State: Sendable, Edit, Cause> {
  /// A change that is shown and not yet answered.
  struct Shown {
    /// The commit that shows it; 0 while its message waits for its turn.
    var commit: Int
    /// The message that it belongs to, with which it ends at the latest; `nil` outside of any.
    let message: Letter?
    /// The cause of the transition in which it is confirmed; `nil` for one that is only shown.
    let confirmation: Cause?
    /// The cause of the transition in which it goes without an answer.
    let withdrawal: Cause
    let change: Edit
  }

  /// The state without what is shown over it; `nil` while nothing is.
  var confirmed: State?
  /// What is shown, in the order in which it was made.
  private(set) var shown: [Shown] = []
  /// The message that waits for its turn, while its expectation is shown.
  var waiting: Letter?
  /// A source of the confirmed states, once somebody has asked for it.
  var source: Knot<State>?
  /// The number of states that were shown, but not confirmed.
  var unconfirmedCount: UInt64 = 0
  private var lastNumber = 0
  /// The loads in flight, ascending.
  private var loads: [Int] = []
  /// The edits that were confirmed while loads were in flight, ascending.
  private var edits: [(number: Int, change: Edit)] = []

  /// The number of a commit that begins, or of an edit.
  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  mutating func show(_ change: Shown, over state: State) {
    if shown.isEmpty { confirmed = state }
    shown.append(change)
    unsafe change.message?.shownCount += 1
  }

  /// Removes the changes that are over, which the caller releases after the step.
  mutating func remove(where isOver: (Shown) -> Bool) -> [Shown] {
    let over = shown.filter(isOver)
    if !over.isEmpty { shown.removeAll(where: isOver) }
    for change in over { unsafe change.message?.shownCount -= 1 }
    return over
  }

  /// Removes what a commit shows, so many changes: of those that are answered in turn the first ones.
  mutating func remove(_ count: Int, of commit: Int) -> [Shown] {
    var over: [Shown] = []
    while over.count < count, let index = shown.firstIndex(where: { $0.commit == commit }) {
      let change = shown.remove(at: index)
      unsafe change.message?.shownCount -= 1
      over.append(change)
    }
    return over
  }

  /// The change that a commit is to confirm.
  func expected(of commit: Int) -> Shown? {
    shown.first { $0.commit == commit && $0.confirmation != nil }
  }

  /// Whether what is shown begins with the change that a commit is to confirm.
  func begins(with commit: Int) -> Bool {
    shown.first?.commit == commit && shown.first?.confirmation != nil
  }

  /// Hands a change that was shown while its message waited to a commit; returns whether there is one.
  mutating func adopt(by commit: Int, of message: Letter?) -> Bool {
    guard let message, unsafe message.shownCount > 0,
      let index = shown.firstIndex(where: { $0.commit == 0 && $0.message === message })
    else { return false }
    shown[index].commit = commit
    return true
  }
}

/// A load may have read before an edit was made, and answer after it: then the edit is made once more.
extension PendingChanges {
  /// Whether no load is in flight, and no edit kept for one.
  var isAtRest: Bool { loads.isEmpty && edits.isEmpty }

  mutating func beginLoad(_ number: Int) { loads.append(number) }

  mutating func endLoad(_ number: Int) {
    if loads.last == number { loads.removeLast() } else { loads.removeAll { $0 == number } }
    guard !edits.isEmpty else { return }
    let oldest = loads.first ?? .max
    edits.removeAll { $0.number < oldest }
  }

  mutating func keep(_ edit: Edit) { if !loads.isEmpty { edits.append((nextNumber(), edit)) } }

  /// The edits that were confirmed after a load has begun.
  func edits(since load: Int) -> [Edit] {
    edits.isEmpty ? [] : edits.filter { $0.number > load }.map(\.change)
  }
}
