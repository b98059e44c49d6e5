public import Testing

/// Checks that a concurrent subject responds as if its operations ran one after another.
///
/// <!-- sample:
/// struct CounterModel: SequentialModel {
///   enum Operation: Sendable { case add(Int), value }
///   mutating func apply(_ operation: Operation) -> Int? { nil }
/// }
/// -->
/// ```swift
/// await checkLinearizable(model: CounterModel(), threads: 3, length: 4) { generator in
///   generator.integer(in: 0...1) == 0 ? .add(generator.integer(in: 1...3)) : .value
/// } subject: {
///   Counter()
/// } perform: { counter, operation in
///   switch operation {
///   case .add(let amount):
///     await counter.add(amount)
///     return nil
///   case .value: return await counter.value
///   }
/// }
/// ```
/// The check draws concurrent programs of `threads` tasks with up to `length` operations each, and explores each program under
/// several schedules. After each run, it searches for an order of the operations in which the model gives the responses that the
/// subject gave. An operation that returned before another one began must precede it. If there is no such order, the check
/// removes operations while the program still fails, and records the history as an issue. An operation that never returns also
/// fails the check, unless the model expects it to wait. Foreign work also fails the check.
///
/// If you cancel the calling task, the check ends without an issue.
///
/// - Parameters:
///   - model: The model, in the state of a new subject.
///   - threads: The number of tasks that call the subject; at least 1.
///   - length: The maximum number of operations of each task; at least 1. `threads` × `length` must not exceed 64.
///   - programs: The number of programs to draw; at least 1.
///   - seeds: The number of schedules for each program; at least 1.
///   - sourceLocation: Where an issue is recorded.
///   - operation: Draws an operation.
///   - subject: Creates a subject; each run calls it once.
///   - perform: Performs an operation on the subject.
/// - Complexity: Exponential in the number of operations, in the worst case.
public func checkLinearizable<Model: SequentialModel, Subject: Sendable>(
  model: Model, threads: Int = 3, length: Int = 4, programs: Int = 50, seeds: Int = 100,
  sourceLocation: SourceLocation = #_sourceLocation,
  operation: @escaping @Sendable (inout SeededGenerator) -> Model.Operation,
  subject: @escaping @Sendable () async -> Subject,
  perform: @escaping @Sendable (Subject, Model.Operation) async -> Model.Response
) async {
  for (name, count) in [
    ("threads", threads), ("length", length), ("programs", programs), ("seeds", seeds),
  ] {
    precondition(
      count >= 1, "checkLinearizable(\(name):): needs a count of at least 1; got \(count)")
  }
  precondition(
    threads <= 64 && length <= 64 && threads * length <= 64,
    "checkLinearizable: needs threads × length of at most 64; got \(threads) × \(length). Reduce one of the two"
  )
  // Code outside the run should not wake the subject, so a run without a ready job counts as stalled immediately.
  let exploration = Exploration(seeds: seeds, patience: .zero, allowing: [.noChoice])
  let monitor = IssueMonitor(namesSeeds: false)
  let check = LinearizabilityCheck(
    model: model, exploration: exploration, monitor: monitor, subject: subject, perform: perform)
  await monitor.watch {
    let context = TestContext(test: Test.currentName, sourceLocation: sourceLocation)
    defer { context.end() }
    for number in 0..<programs {
      var generator = SeededGenerator(seed: UInt64(number))
      let program = (0..<threads).map { _ in
        (0..<generator.integer(in: 1...length)).map { _ in operation(&generator) }
      }
      guard var failure = await check.firstFailure(of: program, in: context) else { continue }
      monitor.silence(true)
      failure = await check.shrunk(failure, in: context)
      monitor.silence(false)
      Verdict.record("\(failure)", sourceLocation: sourceLocation)
      return
    }
    if !Task.isCancelled, SeedPlans(exploration).isComplete, let failure = context.failure {
      Verdict.record("checkLinearizable: \(failure.what)", sourceLocation: sourceLocation)
    }
  }
}
