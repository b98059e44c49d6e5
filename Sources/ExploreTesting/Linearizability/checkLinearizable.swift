public import Testing

/// Checks that a concurrent subject answers as if its operations came one after another.
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
/// It draws concurrent programs, of `threads` tasks with up to `length` operations each, and explores each
/// program under several schedules. For the answers of a run it looks for an order of the operations that
/// gives the same answers on the model; an operation that had returned before another one began comes first
/// in it. If there is no such order, the check takes operations away as long as the program fails, and
/// records the history as an issue. An operation that never returns fails the check, too, unless the model says that it
/// waits; and so does foreign work.
///
/// When the calling task is cancelled, the check ends without an issue.
///
/// - Parameters:
///   - model: The model in the state of a new subject.
///   - threads: How many tasks call the subject; at least 1.
///   - length: How many operations each task has at most; at least 1. threads × length must not exceed 64.
///   - programs: How many programs are drawn; at least 1.
///   - seeds: Under how many schedules each program is run; at least 1.
///   - sourceLocation: The place at which an issue is recorded.
///   - operation: Draws an operation.
///   - subject: Makes a subject; it is called once in each run.
///   - perform: Carries out an operation on the subject.
/// - Complexity: The search for an order is exponential in the number of operations in the worst case.
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
    "checkLinearizable: at most 64 operations; got \(threads) × \(length)")
  // The subject is not woken from outside, so a run that stalls need not wait for that.
  let exploration = Exploration(seeds: seeds, patience: .zero, allowing: [.noChoice])
  let check = LinearizabilityCheck(
    model: model, exploration: exploration, subject: subject, perform: perform)
  for number in 0..<programs {
    var generator = SeededGenerator(seed: UInt64(number))
    let program = (0..<threads).map { _ in
      (0..<generator.integer(in: 1...length)).map { _ in operation(&generator) }
    }
    guard var failure = await check.firstFailure(of: program) else { continue }
    failure = await check.shrunk(failure)
    Verdict.record("\(failure)", sourceLocation: sourceLocation)
    return
  }
}
