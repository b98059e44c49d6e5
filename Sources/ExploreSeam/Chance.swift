private import ExploreSeamThread

/// Returns whether a fault happens here.
///
/// The seed of an exploration decides.
///
/// ```swift
/// func append(_ line: String) async throws {
///   try await engine.append(line)
///   if fault("lost response") { throw Disconnected() }
/// }
/// ```
/// In an exploration, a fault is a decision like the choice of the next task. Each run of `explore` draws a probability for each
/// name, and `exploreAll` tries both results. A report shows the failing schedule with the fewest faults that the kit has found.
/// After `calm` no fault happens. Outside an exploration, the call returns `false` and only reads a thread-local variable, so it
/// can stay in code that ships. You can call it from any isolation. Cancellation has no effect on it.
///
/// - Parameter name: A noun that names the fault in the report, such as "lost response". It is evaluated only in explorations.
/// - Returns: Whether the fault happens.
public func fault(_ name: @autoclosure () -> String) -> Bool {
  guard unsafe exploreCurrentRun() != nil else { return false }
  let name = name()
  guard decide(name, of: 2, isFault: true) == 1 else { return false }
  tell(name, isFault: true)
  return true
}

/// Returns one of several values: the one that the seed of an exploration chooses, or the first value outside an exploration.
///
/// ```swift
/// let pause = choose("pause", from: [.zero, .milliseconds(20), .seconds(1)] as [Duration])
/// ```
/// In an exploration the choice is a decision, like ``fault(_:)``. Put the value that a reader of the report expects
/// first. Outside an exploration, the call only reads a thread-local variable. You can call it from any isolation.
///
/// - Parameters:
///   - name: A noun that names the choice in the report.
///   - choices: The values, the default first; at least one.
/// - Returns: One of the values.
@inlinable
public func choose<Choices: RandomAccessCollection>(
  _ name: @autoclosure () -> String = "choice", from choices: Choices
) -> Choices.Element {
  precondition(!choices.isEmpty, "choose(from:): needs at least 1 value; got 0")
  guard isExplored else { return choices[choices.startIndex] }
  let (name, count) = (name(), choices.count)
  let offset = count < 2 ? 0 : decide(name, of: count, isFault: false)
  let choice = choices[choices.index(choices.startIndex, offsetBy: offset)]
  if offset > 0 { tell("\(name): \(choice)", isFault: false) }
  return choice
}

/// Whether the calling thread belongs to a run of an exploration.
@usableFromInline var isExplored: Bool { unsafe exploreCurrentRun() != nil }

@usableFromInline func decide(_ name: String, of count: Int, isFault: Bool) -> Int {
  guard let run = unsafe exploreCurrentRun()?.pointee else { return 0 }
  return unsafe Int(name.withCString { unsafe run.decide(run.owner, $0, count, isFault) })
}

@usableFromInline func tell(_ words: String, isFault: Bool) {
  guard let run = unsafe exploreCurrentRun()?.pointee, let tell = unsafe run.tell else { return }
  unsafe words.withCString { unsafe tell(run.owner, $0, isFault) }
}
