public import Testing

/// Checks that a concurrent subject answers as if its operations came one after another.
///
/// ```swift
/// await checkLinearizable(model: CounterModel(), threads: 3, length: 4) { generator in
///   generator.integer(in: 0...1) == 0 ? .add(generator.integer(in: 1...3)) : .value
/// } subject: {
///   Counter()
/// } perform: { counter, operation in
///   switch operation {
///   case .add(let amount): await counter.add(amount); return nil
///   case .value: return await counter.value
///   }
/// }
/// ```
/// It draws concurrent programs, of `threads` tasks with up to `length` operations each, runs every one
/// under several schedules, and looks for an order of the operations, in keeping with real time, that
/// the model answers alike. Where there is none, the program is made shorter as long as it fails, and the
/// history is recorded as an issue.
///
/// - Parameters:
///   - model: The state that the model starts in.
///   - threads: How many tasks call the subject.
///   - length: How many operations each has at most; threads × length must not exceed 64.
///   - programs: How many programs are drawn.
///   - seeds: Under how many schedules each is run.
///   - sourceLocation: Where an issue is recorded.
///   - operation: Draws an operation.
///   - subject: Makes a subject, once a run.
///   - perform: Carries out an operation.
public func checkLinearizable<Model: SequentialModel, Subject: Sendable>(
  model: Model, threads: Int = 3, length: Int = 4, programs: Int = 50, seeds: Int = 100,
  sourceLocation: SourceLocation = #_sourceLocation,
  operation: @escaping @Sendable (inout SeededGenerator) -> Model.Operation,
  subject: @escaping @Sendable () async -> Subject,
  perform: @escaping @Sendable (Subject, Model.Operation) async -> Model.Response
) async {
  precondition(
    threads * length <= 64,
    "checkLinearizable: at most 64 operations; got \(threads) × \(length)")
  let check = LinearizabilityCheck(model: model, seeds: seeds, subject: subject, perform: perform)
  for number in 0..<programs {
    var generator = SeededGenerator(seed: UInt64(number))
    let program = (0..<threads).map { _ in
      (0..<generator.integer(in: 1...length)).map { _ in operation(&generator) }
    }
    guard var failure = await check.firstFailure(of: program) else { continue }
    failure = await check.shrunk(failure)
    Issue.record(
      """
      not linearizable: no order of these operations, in keeping with when each began and returned, \
      is one of \(Model.self) (program \(number), seed \(failure.seed))
      \(failure.description)
      """, sourceLocation: sourceLocation)
    return
  }
}
