private import ExploreSeamThread

/// Whether something goes wrong here: the seed of an exploration decides.
///
/// ```swift
/// func append(_ line: String) async throws {
///   try await engine.append(line)
///   if fault("lost answer") { throw Disconnected() }
/// }
/// ```
/// In an exploration this is a decision like the one which task runs next: each run of `explore` draws how likely each name
/// is, a failure is reported with the fewest faults that suffice, and `exploreAll` tries both ways. After `calm` no fault comes.
/// Elsewhere it is `false`, at the cost of a look at a thread-local variable, so that it may stay in code that ships. It may be
/// called from any isolation, and is not affected by a cancellation.
///
/// - Parameter name: A noun that names the fault in the report: "lost answer". It is made in explorations only.
/// - Returns: Whether the fault happens.
public func fault(_ name: @autoclosure () -> String) -> Bool {
  guard unsafe exploreCurrentRun() != nil else { return false }
  let name = name()
  guard decide(name, of: 2, isFault: true) == 1 else { return false }
  tell(name, isFault: true)
  return true
}

/// Chooses one of several values: the first one, or in an exploration the one that the seed decides for.
///
/// ```swift
/// let pause = choose("pause", from: [.zero, .milliseconds(20), .seconds(1)] as [Duration])
/// ```
/// In an exploration this is a decision as that of ``fault(_:)`` is. Put what a reader of a report expects first. Elsewhere it
/// costs a look at a thread-local variable. It may be called from any isolation.
///
/// - Parameters:
///   - name: What is chosen, in the words of the report.
///   - choices: The values, the plain one first; at least one.
/// - Returns: One of them.
@inlinable
public func choose<Choices: RandomAccessCollection>(
  _ name: @autoclosure () -> String = "choice", from choices: Choices
) -> Choices.Element {
  precondition(!choices.isEmpty, "choose(from:): needs a value to choose; got none")
  guard isExplored else { return choices[choices.startIndex] }
  let (name, count) = (name(), choices.count)
  let offset = count < 2 ? 0 : decide(name, of: count, isFault: false)
  let choice = choices[choices.index(choices.startIndex, offsetBy: offset)]
  if offset > 0 { tell("\(name): \(choice)", isFault: false) }
  return choice
}

/// Whether the calling thread works for a run.
@usableFromInline var isExplored: Bool { unsafe exploreCurrentRun() != nil }

@usableFromInline func decide(_ name: String, of count: Int, isFault: Bool) -> Int {
  guard let run = unsafe exploreCurrentRun()?.pointee else { return 0 }
  return unsafe Int(name.withCString { unsafe run.decide(run.owner, $0, count, isFault) })
}

@usableFromInline func tell(_ words: String, isFault: Bool) {
  guard let run = unsafe exploreCurrentRun()?.pointee, let tell = unsafe run.tell else { return }
  unsafe words.withCString { unsafe tell(run.owner, $0, isFault) }
}
